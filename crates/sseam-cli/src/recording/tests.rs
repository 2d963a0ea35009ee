//! Recordings there and back, and what is not one.

use std::time::Duration;

use super::*;

#[test]
fn what_was_written_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r");
    let mut recorder = Recorder::create(&path, false).expect("a new file");
    let at = Duration::from_micros;
    let head = Head {
        method: "POST".into(),
        path: "/v1/x".into(),
        status: 200,
        content_type: Some("text/event-stream".into()),
    };
    recorder.head(1, at(5), head.clone()).unwrap();
    recorder
        .read(1, at(6), 1, "data: \u{4f60}\n\n".as_bytes())
        .unwrap();
    recorder.read(1, at(7), 2, b"data: \xE4").unwrap();
    recorder.end(1, at(8), End::Cut).unwrap();
    let text = std::fs::read_to_string(&path).expect("UTF-8");
    assert_eq!(
        text,
        "{\"sseam_recording\":1}\n\
         {\"response\":1,\"t_us\":5,\"head\":{\"method\":\"POST\",\"path\":\"/v1/x\",\
         \"status\":200,\"content_type\":\"text/event-stream\"}}\n\
         {\"response\":1,\"t_us\":6,\"read\":1,\"data\":\"data: \u{4f60}\\n\\n\"}\n\
         {\"response\":1,\"t_us\":7,\"read\":2,\"hex\":\"646174613a20e4\"}\n\
         {\"response\":1,\"t_us\":8,\"end\":\"cut\"}\n"
    );
    let mut lines = Lines::new(text.as_bytes());
    assert_eq!(lines.next_line().unwrap().unwrap().head, Some(head));
    let line = lines.next_line().unwrap().unwrap();
    assert_eq!((line.t_us, line.read), (6, Some(1)));
    assert_eq!(line.bytes().unwrap(), "data: \u{4f60}\n\n".as_bytes());
    assert_eq!(
        lines.next_line().unwrap().unwrap().bytes().unwrap(),
        b"data: \xE4"
    );
    assert_eq!(lines.next_line().unwrap().unwrap().end, Some(End::Cut));
    assert_eq!(lines.next_line().unwrap(), None);
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_it_and_nothing_is_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r");
    let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    std::fs::write(&path, "precious").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let error = Recorder::create(&path, false).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    Recorder::create(&path, true).unwrap();
    assert_eq!(mode(), 0o600);
    assert_eq!(std::fs::read(&path).unwrap(), b"{\"sseam_recording\":1}\n");
    std::fs::remove_file(&path).unwrap();
    Recorder::create(&path, false).unwrap();
    assert_eq!(mode(), 0o600);
}

#[test]
fn damage_is_named_by_its_line() {
    let read = |text: &str| -> Result<usize, String> {
        let mut lines = Lines::new(text.as_bytes());
        let mut count = 0;
        while lines
            .next_line()
            .map_err(|error| error.to_string())?
            .is_some()
        {
            count += 1;
        }
        Ok(count)
    };
    let first = "{\"sseam_recording\":1}\n";
    let line = "{\"response\":1,\"t_us\":0,\"read\":1,\"data\":\"\",\"new\":[]}\n";
    assert_eq!(read(first), Ok(0));
    assert_eq!(read(&format!("{first}{line}{line}{{\"resp")), Ok(2));
    let damaged = |number| Err(format!("line {number} of the recording is damaged"));
    assert_eq!(read(&format!("{first}{line}x\n{line}")), damaged(3));
    assert_eq!(read("{\"sseam_recording\":"), damaged(1));
    assert!(
        read("{\"sseam_recording\":2}\n")
            .unwrap_err()
            .contains("version 2")
    );
    for (hex, bytes) in [
        ("", Some(vec![])),
        ("0aFF", Some(vec![10, 255])),
        ("0", None),
        ("0g", None),
    ] {
        let line = Line {
            hex: Some(hex.into()),
            ..Line::default()
        };
        assert_eq!(line.bytes(), bytes, "{hex}");
    }
}

/// A line without an end does not fill the memory.
#[test]
fn a_line_is_bounded() {
    let first = &b"{\"sseam_recording\":1}\n"[..];
    let endless = std::io::Read::chain(first, std::io::repeat(b'x'));
    let mut lines = Lines::new(std::io::BufReader::new(endless));
    let error = lines.next_line().unwrap_err();
    assert_eq!(error.to_string(), "line 2 of the recording is damaged");
}

#[test]
fn a_recording_is_known_by_its_first_bytes() {
    assert_eq!(beginning(b""), Beginning::Unknown);
    assert_eq!(beginning(b"{\"sseam_rec"), Beginning::Unknown);
    assert_eq!(beginning(b"{\"sseam_recording\":1}"), Beginning::Recording);
    assert_eq!(beginning(b"{\"error\""), Beginning::Other);
    assert_eq!(beginning(b"data: x"), Beginning::Other);
}
