//! Numbers that an API tells again and again -> one number.
//!
//! Rules: the last number wins, unless it falls to 0. Numbers are added only
//! where the API says that they are parts of a whole; each part follows the
//! first rule by itself.

use serde_json::Value;

/// The parts of one number.
#[derive(Clone, Debug, Default)]
pub(super) struct Count(Vec<(&'static str, u64)>);

impl Count {
    /// Takes the part `name` of `value`, if it is there.
    pub(super) fn tell(&mut self, name: &'static str, value: &Value) {
        let Some(number) = value.as_u64() else {
            return;
        };
        match self.0.iter_mut().find(|part| part.0 == name) {
            Some(part) if number > 0 => part.1 = number,
            Some(_) => {}
            None => self.0.push((name, number)),
        }
    }

    /// All parts together; `None` if none was told.
    pub(super) fn total(&self) -> Option<u64> {
        let numbers = self.0.iter().map(|part| part.1);
        (!self.0.is_empty()).then(|| numbers.fold(0, u64::saturating_add))
    }
}

/// Tokens of the prompt and of the answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    pub(super) input: Count,
    pub(super) output: Count,
}

impl Usage {
    /// Takes the parts of `value` that are named so.
    pub(super) fn tell(&mut self, value: &Value, input: &[&'static str], output: &[&'static str]) {
        for name in input {
            self.input.tell(name, &value[*name]);
        }
        for name in output {
            self.output.tell(name, &value[*name]);
        }
    }
}
