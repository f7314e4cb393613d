//! The arithmetic of a settlement, independent of the ledger.

use crate::error::Error;

/// The maximum number of ledgers until an authorization expires: about a day.
pub const LONGEST_AUTHORIZATION: u32 = 17_280;

/// Refuses amounts that cannot be settled. An actual amount of zero can be: it spends the authorization.
pub fn check_amounts(ceiling: i128, actual: i128) -> Result<(), Error> {
    if ceiling <= 0 || actual < 0 {
        return Err(Error::InvalidAmount);
    }
    if actual > ceiling {
        return Err(Error::ActualAboveCeiling);
    }
    Ok(())
}

/// Returns for how many ledgers from `now` the record of a settlement must live.
///
/// It lives for the longest authorization after the expiration of the settled one. So it outlives every chance to
/// present this authorization, or any other that was signed with the same nonce up to that expiration: a payer who
/// signs again, without knowing that the first one was settled, does not pay twice.
pub fn record_lifetime(expiration: u32, now: u32) -> Result<u32, Error> {
    let remaining = expiration.checked_sub(now).ok_or(Error::Expired)?;
    if remaining > LONGEST_AUTHORIZATION {
        return Err(Error::ExpirationTooFar);
    }
    Ok(remaining + LONGEST_AUTHORIZATION)
}
