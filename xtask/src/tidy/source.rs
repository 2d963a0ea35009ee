//! A Rust file as the rules see it.
//!
//! In: text. Out: its lines; its tokens as flat text with line numbers, where a
//! comment or a string can no longer be mistaken for code; its functions.

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// One Rust file.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    /// Documentation comments are attributes here, other comments are gone.
    pub(crate) tokens: Vec<Token>,
    pub(crate) functions: Vec<Function>,
    pub(crate) enums: Vec<Enum>,
    /// Why it could not be parsed; tokens and functions are then incomplete.
    pub(crate) error: Option<(usize, String)>,
}

/// A word, a literal, one character of punctuation or one bracket.
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// A function that has a body, or an `unsafe` one without.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// From the line of `fn` to that of the closing brace, both counted.
    pub(crate) lines: usize,
    pub(crate) is_unsafe: bool,
    pub(crate) has_safety_section: bool,
    /// Its contract is the trait's, and stands there.
    pub(crate) implements_trait: bool,
}

/// An enum and its variants.
pub(crate) struct Enum {
    pub(crate) name: String,
    pub(crate) variants: Vec<(String, usize)>,
}

impl Source {
    /// Parses `text`; a failure is kept, not returned, since it is a finding.
    pub(crate) fn new(path: &str, text: &str) -> Source {
        let mut source = Source {
            path: path.to_string(),
            text: text.to_string(),
            tokens: Vec::new(),
            functions: Vec::new(),
            enums: Vec::new(),
            error: None,
        };
        let stream: TokenStream = match text.parse() {
            Ok(stream) => stream,
            Err(error) => {
                source.error = Some((error.span().start().line, error.to_string()));
                return source;
            }
        };
        flatten(stream.clone(), &mut source.tokens);
        match syn::parse2::<syn::File>(stream) {
            Ok(file) => {
                let mut collector = Collector {
                    source: &mut source,
                    implements_trait: false,
                };
                collector.visit_file(&file);
            }
            Err(error) => source.error = Some((error.span().start().line, error.to_string())),
        }
        source
    }

    /// Whether the whole file is compiled for tests only.
    pub(crate) fn is_test(&self) -> bool {
        self.path
            .split('/')
            .any(|part| part == "tests" || part == "tests.rs")
    }

    /// Whether the file lies in `folder`, which ends with `/`.
    pub(crate) fn is_below(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }

    /// The line of each place where these tokens follow one another.
    pub(crate) fn lines_of<'a>(&'a self, pattern: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
        let matches = move |window: &&[Token]| {
            window
                .iter()
                .zip(pattern)
                .all(|(token, text)| token.text == *text)
        };
        self.tokens
            .windows(pattern.len())
            .filter(matches)
            .map(|window| window[0].line)
    }
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    let token = |text: &str, at: LineColumn| Token {
        text: text.to_string(),
        line: at.line,
    };
    for tree in stream {
        let start = tree.span().start();
        let TokenTree::Group(group) = tree else {
            tokens.push(token(&tree.to_string(), start));
            continue;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        tokens.push(token(open, start));
        flatten(group.stream(), tokens);
        tokens.push(token(close, group.span_close().start()));
    }
}

/// Walks a file and notes its functions and enums.
struct Collector<'s> {
    source: &'s mut Source,
    implements_trait: bool,
}

impl Collector<'_> {
    fn note(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, end: LineColumn) {
        let line = signature.fn_token.span.start().line;
        self.source.functions.push(Function {
            name: signature.ident.to_string(),
            line,
            lines: end.line - line + 1,
            is_unsafe: matches!(signature.safety, syn::Safety::Unsafe(_)),
            has_safety_section: attributes.iter().any(is_safety_heading),
            implements_trait: self.implements_trait,
        });
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.note(&item.attrs, &item.sig, end_of(&item.block));
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.note(&item.attrs, &item.sig, end_of(&item.block));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        let end = item.default.as_ref().map(end_of);
        let start = item.sig.fn_token.span.start();
        self.note(&item.attrs, &item.sig, end.unwrap_or(start));
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let outer = std::mem::replace(&mut self.implements_trait, item.trait_.is_some());
        visit::visit_item_impl(self, item);
        self.implements_trait = outer;
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        let variant =
            |variant: &syn::Variant| (variant.ident.to_string(), variant.ident.span().start().line);
        let variants = item.variants.iter().map(variant).collect();
        self.source.enums.push(Enum {
            name: item.ident.to_string(),
            variants,
        });
        visit::visit_item_enum(self, item);
    }
}

fn end_of(body: &syn::Block) -> LineColumn {
    body.brace_token.span.close().end()
}

/// Whether this is the line `# Safety` of a documentation comment.
fn is_safety_heading(attribute: &syn::Attribute) -> bool {
    let syn::Meta::NameValue(pair) = &attribute.meta else {
        return false;
    };
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(text),
        ..
    }) = &pair.value
    else {
        return false;
    };
    pair.path.is_ident("doc") && text.value().lines().any(|line| line.trim() == "# Safety")
}
