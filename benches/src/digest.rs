//! What a parser made of a stream, in two numbers: events in, count and hash out.

/// Count and hash of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    /// How many events.
    pub events: u64,
    /// The hash of their types, lengths and data, in their order.
    pub hash: u64,
}

const FNV_OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;

impl Default for Digest {
    fn default() -> Self {
        Digest::new()
    }
}

impl Digest {
    /// The digest of no events.
    pub const fn new() -> Digest {
        Digest {
            events: 0,
            hash: FNV_OFFSET,
        }
    }

    /// Adds an event. An empty type is `message`, as parsers differ in which of
    /// the two they give out.
    pub fn add(&mut self, event_type: &[u8], data: &[u8]) {
        let event_type = if event_type.is_empty() {
            b"message"
        } else {
            event_type
        };
        self.events += 1;
        for part in [event_type, data] {
            self.hash = mix(self.hash, &(part.len() as u64).to_le_bytes());
            self.hash = mix(self.hash, part);
        }
    }
}

/// FNV-1a of some bytes.
pub fn hash(bytes: &[u8]) -> u64 {
    mix(FNV_OFFSET, bytes)
}

fn mix(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
    })
}
