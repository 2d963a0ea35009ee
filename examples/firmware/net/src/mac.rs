//! In: frames of the Stellaris Ethernet controller. Out: smoltcp's `Device`.

use core::ptr::{read_volatile, write_volatile};

use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant;

const MAC: usize = 0x4004_8000;
const RECEIVE_CONTROL: usize = MAC + 0x08;
const TRANSMIT_CONTROL: usize = MAC + 0x0C;
const DATA: usize = MAC + 0x10;
const PACKETS: usize = MAC + 0x34;
const TRANSMIT_REQUEST: usize = MAC + 0x38;

/// The controller with room for one frame each way.
pub(crate) struct Mac {
    received: [u8; 1536],
    sent: [u8; 1536],
}

pub(crate) struct Received<'a>(&'a [u8]);
pub(crate) struct ToSend<'a>(&'a mut [u8]);

impl Mac {
    pub(crate) fn start() -> Mac {
        // Receiver on, promiscuous; transmitter on, padding and checksum.
        store(RECEIVE_CONTROL, 0b101);
        store(TRANSMIT_CONTROL, 0b111);
        Mac {
            received: [0; 1536],
            sent: [0; 1536],
        }
    }

    /// The FIFO holds a length of two bytes, the frame, and a checksum of four.
    fn receive_frame(&mut self) -> Option<usize> {
        if load(PACKETS) & 0x3F == 0 {
            return None;
        }
        let first = load(DATA);
        let len = (first & 0xFFFF) as usize;
        let words = (4..len).step_by(4).map(|_| load(DATA).to_le_bytes());
        let bytes = [(first >> 16) as u8, (first >> 24) as u8]
            .into_iter()
            .chain(words.flatten());
        let mut places = self.received.iter_mut();
        for byte in bytes {
            if let Some(place) = places.next() {
                *place = byte;
            }
        }
        Some(len.saturating_sub(6))
    }
}

impl Device for Mac {
    type RxToken<'a> = Received<'a>;
    type TxToken<'a> = ToSend<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Received<'_>, ToSend<'_>)> {
        let len = self.receive_frame()?;
        Some((Received(self.received.get(..len)?), ToSend(&mut self.sent)))
    }

    fn transmit(&mut self, _: Instant) -> Option<ToSend<'_>> {
        Some(ToSend(&mut self.sent))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = 1514;
        capabilities.max_burst_size = Some(1);
        capabilities
    }
}

impl RxToken for Received<'_> {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(self.0)
    }
}

impl TxToken for ToSend<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, f: F) -> R {
        let frame = &mut self.0[..len];
        let result = f(frame);
        // The length of what follows the Ethernet header, then the frame.
        let head = (len as u32).wrapping_sub(14);
        store(
            DATA,
            head | u32::from(frame[0]) << 16 | u32::from(frame[1]) << 24,
        );
        for part in frame[2..].chunks(4) {
            let mut word = [0; 4];
            word[..part.len()].copy_from_slice(part);
            store(DATA, u32::from_le_bytes(word));
        }
        store(TRANSMIT_REQUEST, 1);
        result
    }
}

fn load(address: usize) -> u32 {
    // SAFETY: a register of this machine's Ethernet controller.
    unsafe { read_volatile(address as *const u32) }
}

fn store(address: usize, value: u32) {
    // SAFETY: a register of this machine's Ethernet controller.
    unsafe { write_volatile(address as *mut u32, value) }
}
