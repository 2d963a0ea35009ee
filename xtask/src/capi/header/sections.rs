//! A header of one section in, one of several out: what may still change stands
//! apart from what is stable, under a comment that says so.

/// What stands apart: told by the words that follow `sseam_` in a name.
struct Section {
    words: &'static [&'static str],
    /// Names that the words do not tell.
    names: &'static [&'static str],
    comment: &'static str,
}

const SECTIONS: &[Section] = &[
    Section {
        words: &[
            "answer",
            "dialect",
            "mode",
            "signal",
            "reason",
            "outcome",
            "marker",
            "close",
            "resubscribe",
            "cursor",
            "text",
            "usage",
            "foreign",
            "wants",
            "signals",
            "call",
            "calls",
        ],
        names: &["SSEAM_LIMIT_MEMORY", "SSEAM_LIMIT_TRACKED"],
        comment: "\
/*
 * The answers of AI APIs.
 *
 * An event is not the answer: only the API's own terminal says that the answer is
 * whole. An answer takes the bytes of one, gives its text as it comes, and says in
 * the end what became of it. It allocates nothing that was not asked for.
 *
 *     sseam_answer *answer;
 *     sseam_outcome outcome;
 *     sseam_str part;
 *     size_t at;
 *
 *     if (sseam_answer_new(NULL, NULL, &answer) != SSEAM_OK) return 1;
 *     while ((n = read(fd, buffer, sizeof buffer)) > 0)
 *         for (at = 0; sseam_answer_text(answer, buffer, n, &at, &part) > 0;)
 *             fwrite(part.ptr, 1, part.len, stdout);
 *     sseam_answer_end(answer, n < 0 ? SSEAM_CLOSE_RESET : SSEAM_CLOSE_CLEAN);
 *     outcome.struct_size = sizeof outcome;
 *     sseam_answer_outcome(answer, &outcome);
 *     sseam_answer_free(answer);
 *     return outcome.exit_code;
 *
 * Not stable yet: this section has a number of its own, `SSEAM_ANSWER_ABI_VERSION`,
 * which may rise with any release before 1.0. Codes keep their meaning; take those
 * that you do not know as \"other\".
 */",
    },
    Section {
        words: &[
            "waiting",
            "liveness",
            "timeouts",
            "deadline",
            "backoff",
            "delays",
            "forever",
            "unlimited",
        ],
        names: &[],
        comment: "\
/*
 * Waiting: how long a stream may be silent, and how long to wait before connecting
 * again. Both are told the time, or chance, and do nothing by themselves.
 *
 * Not stable yet: `SSEAM_WAITING_ABI_VERSION` may rise with any release before 1.0.
 */",
    },
];

const OPEN: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif /* __cplusplus */";
const CLOSE: &str = "#ifdef __cplusplus\n}  /* extern \"C\" */\n#endif  /* __cplusplus */";

/// Puts each section behind what is stable, within the guard.
pub(super) fn apart(text: &str) -> String {
    let blocks: Vec<&str> = text.trim_end().split("\n\n").collect();
    let Some((guard, blocks)) = blocks.split_last() else {
        return text.to_string();
    };
    let mut all = taken(blocks, |block| section_of(block).is_none());
    for section in SECTIONS {
        let its = taken(blocks, |block| {
            section_of(block).is_some_and(|it| it.comment == section.comment)
        });
        // Without a declaration only the brackets of C++ are left.
        if its.len() > 2 {
            all.push(section.comment);
            all.extend(its);
        }
    }
    all.push(guard);
    all.join("\n\n") + "\n"
}

/// The blocks that are meant, and both brackets of C++ among them.
fn taken<'t>(blocks: &[&'t str], is_meant: impl Fn(&str) -> bool) -> Vec<&'t str> {
    let is_bracket = |block: &str| block == OPEN || block == CLOSE;
    let all = blocks.iter().copied();
    all.filter(|block| is_bracket(block) || is_meant(block))
        .collect()
}

/// Where a block belongs by the name that it declares.
fn section_of(block: &str) -> Option<&'static Section> {
    let name = declared(block)?;
    let word = name.get("sseam_".len()..)?.split('_').next()?;
    let is_its = |section: &&Section| {
        section.names.contains(&name)
            || section.words.iter().any(|it| word.eq_ignore_ascii_case(it))
    };
    SECTIONS.iter().find(is_its)
}

/// The name that a block declares, if it is one of ours.
fn declared(block: &str) -> Option<&str> {
    let is_declaration = |line: &&str| {
        let is_comment = line.starts_with(" *") || line.starts_with("/*");
        !is_comment && !line.starts_with("#if") && !line.starts_with("SSEAM_MUST_USE")
    };
    let line = block.lines().find(is_declaration)?;
    let is_word = |byte: char| byte.is_ascii_alphanumeric() || byte == '_';
    let name = if let Some(rest) = line.strip_prefix("#define ") {
        rest.split(|byte| !is_word(byte)).next()
    } else if let Some((before, _)) = line.split_once('(') {
        before.rsplit(|byte| !is_word(byte)).next()
    } else {
        let words = line.trim_end_matches([';', '{', ' ']);
        words.rsplit(|byte| !is_word(byte)).next()
    }?;
    let is_ours = name.len() > "sseam_".len() && name.is_char_boundary("sseam_".len());
    (is_ours && name.to_ascii_lowercase().starts_with("sseam_")).then_some(name)
}
