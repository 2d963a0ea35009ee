//! The gateway as a program: what the command line asks for in, a server out.

use std::error::Error;
use std::process::ExitCode;

use sseam_gateway::{Gateway, Mode, serve};
use sseam_http::sseam::llm::{Dialect, Turn};
use tokio::net::TcpListener;

const USAGE: &str = "usage: sseam-gateway LISTEN UPSTREAM [untouched|whole] [DIALECT]
for instance: sseam-gateway 127.0.0.1:8080 127.0.0.1:9000 whole openai-chat";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

async fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (listen, upstream, rest) = match words.as_slice() {
        [listen, upstream, rest @ ..] => (listen, upstream, rest),
        _ => return Err(USAGE.into()),
    };
    let mode = match rest.first() {
        None | Some(&"untouched") => Mode::Untouched,
        Some(&"whole") => Mode::WholeEvents,
        Some(_) => return Err(USAGE.into()),
    };
    let dialect: Dialect = rest.get(1).unwrap_or(&"auto").parse()?;
    let gateway = Gateway::new(upstream.parse()?, mode, Turn::new(dialect));
    let listener = TcpListener::bind(listen).await?;
    println!("http://{} relays to {upstream}", listener.local_addr()?);
    let shutdown = async {
        let _ = tokio::signal::ctrl_c().await;
        println!("no more connections; waiting for streams to end");
    };
    Ok(serve(listener, gateway, shutdown).await?)
}
