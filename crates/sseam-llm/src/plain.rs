//! Stage 2, streams of no known API: an event's data in, a unit out.

use crate::due::Due;
use crate::failure::Failure;
use crate::markers::Markers;
use crate::piece::Piece;
use crate::reason::Reason;
use crate::unit::Unit;

/// Reads an event whose data is text.
pub(crate) fn read<'e>(data: &'e [u8], unit: &mut Unit<'e>) {
    unit.text = Piece::line(data);
    unit.due.add(Due::TEXT);
}

/// Reads an event that the caller's markers explain.
pub(crate) fn read_custom<'e>(
    data: &'e [u8],
    event_type: &[u8],
    unit: &mut Unit<'e>,
    markers: &Markers,
) {
    // All that is known of such an event is that the server sent something.
    unit.is_progress = !data.is_empty();
    unit.due.add_if(unit.is_progress, Due::MEDIA);
    if markers.is_error_event(event_type) {
        unit.announce_failure(Some(Failure {
            code: Piece::EMPTY,
            message: Piece::verbatim(data),
        }));
        return;
    }
    let is_marker = markers.is_end_event(event_type) || markers.is_end_data(data);
    let is_end = is_marker || markers.is_end_field(data);
    if markers.has_text_field() {
        unit.text = markers.text(data).unwrap_or(Piece::EMPTY);
        unit.announce_pieces();
    } else if !is_end && !data.is_empty() {
        unit.text = Piece::line(data);
        unit.due.add(Due::TEXT);
    }
    if is_end {
        unit.announce_finish(Reason::Stop, Piece::EMPTY);
        unit.due.add(Due::TERMINAL);
    }
    if unit.due.is_nothing() {
        unit.due.add(Due::KEEP_ALIVE);
    }
}
