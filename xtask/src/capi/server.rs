//! A loopback server for the examples: requests in, event streams out that are cut
//! at odd places, stall, break off and go on where the client left.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

/// Starts a server that lives as long as this process, and gives its port.
pub(crate) fn start() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no port to listen on")?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            // A client that goes away early is what some tests are about.
            thread::spawn(move || answer(client).unwrap_or_default());
        }
    });
    Ok(port)
}

fn answer(mut client: TcpStream) -> Result<()> {
    let (path, last_event_id) = request(&client)?;
    client.set_nodelay(true)?;
    match (path.as_str(), last_event_id.as_deref()) {
        ("/events", None) => {
            head(&mut client, "200 OK", "text/event-stream; charset=utf-8")?;
            chunks(
                &mut client,
                "retry: 50\n: hello\n\nid: 1\ndata: one\n\nid: 2\r\nevent: note\r\n",
            )?;
            chunks(
                &mut client,
                "data: 二\r\ndata: two\r\n\r\nid: 3\ndata: three\n\nid: 4\ndata: fo",
            )
        }
        ("/events", Some("3")) => {
            head(&mut client, "200 OK", "text/event-stream")?;
            chunks(&mut client, "id: 4\ndata: four\n\nid: 5\ndata: five\n\n")?;
            end(&mut client)
        }
        ("/events", Some(_)) => head(&mut client, "204 No Content", "text/event-stream"),
        ("/whole", _) => {
            head(&mut client, "200 OK", "text/event-stream")?;
            chunks(
                &mut client,
                "data: a\n\nevent: b\ndata: b\n\n: heartbeat\n\ndata: c\n\n",
            )?;
            end(&mut client)
        }
        ("/broken", _) => {
            head(&mut client, "200 OK", "text/event-stream")?;
            chunks(&mut client, "data: a\n\ndata: b")?;
            end(&mut client)
        }
        ("/stall", _) => {
            head(&mut client, "200 OK", "text/event-stream")?;
            chunks(&mut client, "data: a\n\n")?;
            thread::sleep(Duration::from_secs(20));
            Ok(())
        }
        ("/many", _) => many(&mut client),
        ("/html", _) => {
            client.write_all(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
            )?;
            Ok(())
        }
        _ => head(&mut client, "500 Internal Server Error", "text/plain"),
    }
}

/// The path that is asked for, and the id that the client resumes from.
fn request(client: &TcpStream) -> Result<(String, Option<String>)> {
    let mut lines = BufReader::new(client.try_clone()?).lines();
    let first = lines.next().context("no request")??;
    let path = first.split(' ').nth(1).unwrap_or_default().to_string();
    let mut last_event_id = None;
    for line in lines {
        let line = line?;
        match line.split_once(": ") {
            _ if line.is_empty() => break,
            Some((name, value)) if name.eq_ignore_ascii_case("last-event-id") => {
                last_event_id = Some(value.to_string());
            }
            _ => {}
        }
    }
    Ok((path, last_event_id))
}

fn head(client: &mut TcpStream, status: &str, content_type: &str) -> Result<()> {
    let body = match status {
        "200 OK" => "Transfer-Encoding: chunked",
        _ => "Content-Length: 0",
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{body}\r\n\r\n");
    Ok(client.write_all(head.as_bytes())?)
}

/// Pieces of 1 to 5 bytes, each a chunk and a write of its own.
fn chunks(client: &mut TcpStream, text: &str) -> Result<()> {
    let mut rest = text.as_bytes();
    for len in [3, 1, 5, 2, 4].into_iter().cycle() {
        let (piece, after) = rest.split_at(len.min(rest.len()));
        if piece.is_empty() {
            break;
        }
        write!(client, "{:x}\r\n", piece.len())?;
        client.write_all(piece)?;
        client.write_all(b"\r\n")?;
        thread::sleep(Duration::from_micros(300));
        rest = after;
    }
    Ok(())
}

fn end(client: &mut TcpStream) -> Result<()> {
    Ok(client.write_all(b"0\r\n\r\n")?)
}

/// Twenty events without framing, as of HTTP/1.0.
fn many(client: &mut TcpStream) -> Result<()> {
    client.write_all(b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")?;
    for event in 0..20 {
        let text = format!("id: {event}\nevent: tick\ndata: event {event}\ndata: line\n\n");
        let (first, second) = text.split_at(text.len() / 3);
        client.write_all(first.as_bytes())?;
        thread::sleep(Duration::from_millis(2));
        client.write_all(second.as_bytes())?;
    }
    Ok(())
}
