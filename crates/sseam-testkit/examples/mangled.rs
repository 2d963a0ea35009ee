//! Prints a mangled stream: dialect and seed in, its bytes and what was done to it out.

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (name, seed) = (&arguments[1], arguments[2].parse().expect("a number"));
    let sources = sseam_testkit::mangle::sources(name);
    let sources: Vec<&[u8]> = sources.iter().map(Vec::as_slice).collect();
    let mut rng = sseam_testkit::generate::Rng::new(seed);
    let mangled = sseam_testkit::mangle::mangle(&mut rng, &sources);
    eprintln!("{:?}", mangled.steps);
    print!("{}", String::from_utf8_lossy(&mangled.stream));
}
