//! What TLS trusts: PEM text comes in, a configuration goes out.

use std::sync::Arc;

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider, parse_pem};

use super::failure::RequestError;

/// Rustls on ring, with the built-in roots or only those of `pem`.
pub(crate) fn config(pem: Option<&[u8]>) -> Result<TlsConfig, RequestError> {
    let roots = match pem {
        None => RootCerts::WebPki,
        Some(pem) => RootCerts::Specific(Arc::new(certificates(pem)?)),
    };
    let builder = TlsConfig::builder().provider(TlsProvider::Rustls);
    Ok(builder.root_certs(roots).build())
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate<'static>>, RequestError> {
    let mut certificates = Vec::new();
    for item in parse_pem(pem) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(_) => return Err(RequestError::Certificates),
        }
    }
    if certificates.is_empty() {
        return Err(RequestError::Certificates);
    }
    Ok(certificates)
}
