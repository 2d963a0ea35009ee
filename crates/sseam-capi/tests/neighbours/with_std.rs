//! A Rust library as another project would ship it, with std: linked beside ours
//! to show that both fit into one program.

/// Uses the heap, a panic that is caught, and formatting.
#[unsafe(no_mangle)]
pub extern "C" fn neighbour(number: u32) -> u32 {
    let text: String = (0..number).map(|digit| digit.to_string()).collect();
    text.len() as u32
}
