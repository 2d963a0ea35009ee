//! What a linked image says about itself.
//!
//! In: an ELF file, linked with `--emit-relocs` and compiled with frame sizes.
//! Out: the lengths of its sections, its functions with their frames and calls,
//! and the longest chain of calls. No disassembler is needed: where one function
//! calls another, the linker left a relocation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind};

/// A function of the image.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) size: u64,
    /// Bytes of stack; unknown for what was compiled without frame sizes.
    pub(crate) frame: Option<u64>,
    /// Addresses of the functions it calls or jumps to.
    calls: BTreeSet<u64>,
}

/// The lengths of an image in bytes, and its functions by address.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) text: u64,
    pub(crate) rodata: u64,
    pub(crate) data: u64,
    pub(crate) bss: u64,
    pub(crate) functions: BTreeMap<u64, Function>,
    /// Lengths of named constants.
    pub(crate) constants: BTreeMap<String, u64>,
    /// Functions whose address is data, so that they may be called unseen.
    pub(crate) taken: BTreeSet<u64>,
}

/// The longest chain of calls.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Chain {
    pub(crate) bytes: u64,
    pub(crate) names: Vec<String>,
    /// Functions on some chain whose frame nobody knows.
    pub(crate) unknown: BTreeSet<String>,
    pub(crate) is_recursive: bool,
}

impl Image {
    pub(crate) fn read(path: &Path) -> Result<Image> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = object::File::parse(bytes.as_slice())
            .with_context(|| format!("{} is no ELF file", path.display()))?;
        let mut image = Image::default();
        image.add_sections(&file);
        image.add_symbols(&file);
        image.add_calls(&file);
        image.add_frames(&file);
        Ok(image)
    }

    fn add_sections(&mut self, file: &object::File<'_>) {
        for section in file.sections() {
            let len = match section.kind() {
                SectionKind::Text => &mut self.text,
                SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => &mut self.rodata,
                SectionKind::Data => &mut self.data,
                SectionKind::UninitializedData => &mut self.bss,
                _ => continue,
            };
            // Tables for unwinding are dropped by a firmware's linker script.
            let name = section.name().unwrap_or_default();
            let is_dropped = name.starts_with(".ARM.ex") || name.starts_with(".eh_frame");
            // What is left of the memory is no static memory.
            let is_rest = matches!(name, ".stack" | ".heap");
            if !is_dropped && !is_rest {
                *len += section.size();
            }
        }
    }

    fn add_symbols(&mut self, file: &object::File<'_>) {
        for symbol in file.symbols() {
            let Ok(name) = symbol.name() else { continue };
            let name = format!("{:#}", rustc_demangle::demangle(name));
            match symbol.kind() {
                SymbolKind::Text if symbol.size() > 0 => {
                    let function = self.functions.entry(even(symbol.address())).or_default();
                    // Aliases share an address; one of the names is enough.
                    if function.name.is_empty() || name.starts_with("__aeabi_mem") {
                        function.name = name;
                    }
                    function.size = symbol.size();
                }
                SymbolKind::Data => {
                    self.constants.insert(name, symbol.size());
                }
                _ => {}
            }
        }
    }

    fn add_calls(&mut self, file: &object::File<'_>) {
        for section in file.sections() {
            let is_code = section.kind() == SectionKind::Text;
            for (at, relocation) in section.relocations() {
                let RelocationTarget::Symbol(index) = relocation.target() else {
                    continue;
                };
                let Ok(symbol) = file.symbol_by_index(index) else {
                    continue;
                };
                let to = even(symbol.address());
                let is_call = matches!(
                    relocation.kind(),
                    object::RelocationKind::Relative | object::RelocationKind::PltRelative
                ) || !is_address(relocation.flags());
                let Some(to) = self.function_at(to).map(|(address, _)| address) else {
                    continue;
                };
                let from = self.function_at(at).map(|(address, _)| address);
                match from {
                    Some(from) if is_code && is_call => {
                        if let Some(function) = self.functions.get_mut(&from)
                            && from != to
                        {
                            function.calls.insert(to);
                        }
                    }
                    _ if symbol.kind() == SymbolKind::Text => {
                        self.taken.insert(to);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Each entry is an address and a length in the encoding of DWARF.
    fn add_frames(&mut self, file: &object::File<'_>) {
        for section in file.sections() {
            if section.name() != Ok(".stack_sizes") {
                continue;
            }
            let mut rest = section.data().unwrap_or_default();
            while let Some((address, after)) = rest.split_first_chunk::<4>() {
                let (frame, after) = uleb(after);
                rest = after;
                let address = even(u64::from(u32::from_le_bytes(*address)));
                if let Some(function) = self.functions.get_mut(&address) {
                    function.frame = Some(frame);
                }
            }
        }
    }

    /// The function that holds this address.
    fn function_at(&self, address: u64) -> Option<(u64, &Function)> {
        let (&start, function) = self.functions.range(..=address).next_back()?;
        (address < start + function.size).then_some((start, function))
    }

    /// What the compiler's library adds to every firmware: copying and filling.
    pub(crate) fn text_of_memory_functions(&self) -> u64 {
        let is_one = |function: &&Function| {
            let name = function.name.as_str();
            name.starts_with("__aeabi_mem")
                || name.starts_with("compiler_builtins::mem::")
                || matches!(name, "memcpy" | "memmove" | "memset" | "memcmp" | "bcmp")
        };
        self.functions
            .values()
            .filter(is_one)
            .map(|function| function.size)
            .sum()
    }

    /// The kinds of panic that are reachable: what the project's code, or the
    /// library's, calls of `core::panicking`.
    ///
    /// One is not counted: an async function panics when it is polled after it
    /// has returned, which is Rust's own doing and the executor's fault.
    pub(crate) fn panics(&self) -> BTreeSet<String> {
        let is_panic = |name: &str| name.starts_with("core::panicking::");
        let callers = self
            .functions
            .values()
            .filter(|function| !is_panic(&function.name));
        let callees = callers.flat_map(|function| &function.calls);
        let names = callees.filter_map(|address| self.functions.get(address));
        names
            .map(|function| function.name.clone())
            .filter(|name| is_panic(name) && !name.ends_with("panic_const_async_fn_resumed"))
            .collect()
    }

    /// The longest chain of calls from the function of this name.
    pub(crate) fn chain(&self, name: &str) -> Chain {
        let mut chain = Chain::default();
        let start = self
            .functions
            .iter()
            .find(|(_, function)| function.name == name);
        if let Some((&start, _)) = start {
            let (bytes, names) = self.deepest(start, &mut Vec::new(), &mut chain);
            (chain.bytes, chain.names) = (bytes, names);
        }
        chain
    }

    fn deepest(&self, at: u64, path: &mut Vec<u64>, chain: &mut Chain) -> (u64, Vec<String>) {
        if path.contains(&at) {
            chain.is_recursive = true;
            return (0, Vec::new());
        }
        let Some(function) = self.functions.get(&at) else {
            return (0, Vec::new());
        };
        if function.frame.is_none() {
            chain.unknown.insert(function.name.clone());
        }
        path.push(at);
        let below = function
            .calls
            .iter()
            .map(|&to| self.deepest(to, path, chain));
        let (bytes, mut names) = below
            .collect::<Vec<_>>()
            .into_iter()
            .max()
            .unwrap_or_default();
        path.pop();
        let frame = function.frame.unwrap_or(0);
        names.insert(0, format!("{} {frame}", function.name));
        (bytes + frame, names)
    }
}

/// An address in code without the bit that says Thumb.
fn even(address: u64) -> u64 {
    address & !1
}

/// Whether a relocation stores an address instead of calling it.
fn is_address(flags: object::RelocationFlags) -> bool {
    const R_ARM_ABS32: u32 = 2;
    const R_RISCV_32: u32 = 1;
    match flags {
        object::RelocationFlags::Elf { r_type } => matches!(r_type, R_ARM_ABS32 | R_RISCV_32),
        _ => false,
    }
}

fn uleb(mut bytes: &[u8]) -> (u64, &[u8]) {
    let (mut value, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        bytes = rest;
        value |= u64::from(byte & 0x7F) << shift;
        shift = (shift + 7).min(63);
        if byte & 0x80 == 0 {
            break;
        }
    }
    (value, bytes)
}

#[cfg(test)]
mod tests;
