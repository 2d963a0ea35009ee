//! Through whom to connect: variables of the environment come in, the proxy for
//! an address goes out.

use std::net::IpAddr;

use ureq::{Proxy, ProxyProtocol};

use super::failure::RequestError;
use super::location::{Location, has_good_port};

/// The proxies for the two schemes, and the hosts that are reached without one.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    /// Names in lower case without a leading dot and without brackets; `*` is
    /// every host.
    direct: Vec<String>,
}

impl Proxies {
    /// One for everything.
    pub(crate) fn one(url: &str) -> Result<Self, RequestError> {
        let proxy = parse(url)?;
        Ok(Proxies {
            http: proxy.clone(),
            https: proxy,
            direct: Vec::new(),
        })
    }

    /// Those that variables name, as for curl: `http_proxy` or `https_proxy` by
    /// the scheme, else `all_proxy`; `no_proxy` names hosts and, with them, all
    /// that end with a dot and the name. Each also in upper case.
    pub(crate) fn of_variables(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, RequestError> {
        let either = |name: &str| variable(name).or_else(|| variable(&name.to_ascii_uppercase()));
        // In a CGI program a header of the request, `Proxy`, becomes this one.
        let http = match variable("REQUEST_METHOD") {
            Some(_) => variable("http_proxy"),
            None => either("http_proxy"),
        };
        let all = either("all_proxy");
        let choose = |own: Option<String>| {
            let url = own.or_else(|| all.clone()).unwrap_or_default();
            parse(url.trim())
        };
        let direct = either("no_proxy").unwrap_or_default().to_ascii_lowercase();
        let names = direct.split([',', ' ']).filter(|name| !name.is_empty());
        Ok(Proxies {
            http: choose(http)?,
            https: choose(either("https_proxy"))?,
            direct: names
                .map(|name| bare(name.trim_start_matches('.')).to_owned())
                .collect(),
        })
    }

    /// The proxy for an address, if it is not to be reached directly.
    pub(crate) fn of(&self, location: &Location) -> Option<&Proxy> {
        let host = bare(location.uri().host().unwrap_or_default()).to_ascii_lowercase();
        let address = host.parse::<IpAddr>().ok();
        let is_direct = |name: &String| {
            // An address has many spellings, and no names below it.
            if let Some(address) = address {
                return name == "*" || name.parse() == Ok(address);
            }
            let rest = host.strip_suffix(name.as_str());
            name == "*" || rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        if self.direct.iter().any(is_direct) {
            return None;
        }
        let proxy = if location.is_secure() {
            &self.https
        } else {
            &self.http
        };
        proxy.as_ref()
    }
}

/// An address of version 6 without the brackets that a URL needs.
fn bare(host: &str) -> &str {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    inner.unwrap_or(host)
}

/// An empty text is none.
fn parse(url: &str) -> Result<Option<Proxy>, RequestError> {
    if url.is_empty() {
        return Ok(None);
    }
    let proxy = Proxy::new(url).map_err(|_| RequestError::Proxy)?;
    if !proxy.uri().authority().is_some_and(has_good_port) {
        return Err(RequestError::Proxy);
    }
    match proxy.protocol() {
        ProxyProtocol::Http => Ok(Some(proxy)),
        ProxyProtocol::Https if cfg!(feature = "client-rustls") => Ok(Some(proxy)),
        // To go around a proxy that cannot be spoken to would be worse.
        _ => Err(RequestError::Proxy),
    }
}

#[cfg(test)]
mod tests;
