//! The arithmetic of a settlement, apart from the ledger.

use crate::error::Error;

/// How many ledgers ahead an authorization may expire: about a day.
pub const LONGEST_AUTHORIZATION: u32 = 17_280;

/// Refuses amounts of which no settlement is made. An actual amount of zero is one: it spends the authorization.
pub fn check_amounts(ceiling: i128, actual: i128) -> Result<(), Error> {
    if ceiling <= 0 || actual < 0 {
        return Err(Error::InvalidAmount);
    }
    if actual > ceiling {
        return Err(Error::ActualAboveCeiling);
    }
    Ok(())
}

/// For how many ledgers from `now` the record of a settlement must live.
///
/// It lives for the longest authorization after the expiration of the one settled. So it is there for as long as this
/// authorization could be presented, and for as long as any other could that was signed with the same nonce up to that
/// expiration: a payer that signs again, not knowing that it was settled, does not pay twice.
pub fn record_lifetime(expiration: u32, now: u32) -> Result<u32, Error> {
    let remaining = expiration.checked_sub(now).ok_or(Error::Expired)?;
    if remaining > LONGEST_AUTHORIZATION {
        return Err(Error::ExpirationTooFar);
    }
    Ok(remaining + LONGEST_AUTHORIZATION)
}
