//! Decodes what a limited key wants to do, with exact types. Refuses anything except three known calls.

use account_interface::contract_call;
use soroban_sdk::{
    auth::ContractContext, symbol_short, Address, BytesN, Env, MuxedAddress, TryFromVal, Val,
};

use crate::{config::State, error::Error};

pub enum Call {
    /// token.transfer(wallet, to, amount)
    Transfer { to: Address, amount: i128 },
    /// upto.settle(token, wallet, to, ceiling, expiration, nonce): the payer signs these six arguments.
    Settle {
        to: Address,
        ceiling: i128,
        expiration: u32,
        nonce: BytesN<32>,
    },
    /// token.approve(wallet, upto, amount, expiration)
    Approve { amount: i128, expiration: u32 },
}

impl Call {
    pub fn read(env: &Env, state: &State, call: &Val) -> Result<Self, Error> {
        let call = &contract_call(env, call).ok_or(Error::NotAllowed)?;
        let arguments = Arguments { env, call };
        if call.contract == state.token {
            if call.fn_name == symbol_short!("transfer") {
                return arguments.transfer(state);
            }
            if call.fn_name == symbol_short!("approve") {
                return arguments.approve(state);
            }
        } else if Some(&call.contract) == state.upto.as_ref()
            && call.fn_name == symbol_short!("settle")
        {
            return arguments.settle(state);
        }
        Err(Error::NotAllowed)
    }
}

struct Arguments<'a> {
    env: &'a Env,
    call: &'a ContractContext,
}

impl Arguments<'_> {
    fn transfer(&self, state: &State) -> Result<Call, Error> {
        self.count(3)?;
        self.is(0, &state.wallet)?;
        // The payment goes to the account behind a muxed address, whose number the recipient chooses.
        let to = self.get::<MuxedAddress>(1)?.address();
        self.is_elsewhere(&to, state)?;
        let amount = self.get(2)?;
        Ok(Call::Transfer { to, amount })
    }

    fn settle(&self, state: &State) -> Result<Call, Error> {
        self.count(6)?;
        self.is(0, &state.token)?;
        self.is(1, &state.wallet)?;
        let to = self.get(2)?;
        self.is_elsewhere(&to, state)?;
        Ok(Call::Settle {
            to,
            ceiling: self.get(3)?,
            expiration: self.get(4)?,
            nonce: self.get(5)?,
        })
    }

    fn approve(&self, state: &State) -> Result<Call, Error> {
        self.count(4)?;
        self.is(0, &state.wallet)?;
        self.is(1, state.upto.as_ref().ok_or(Error::NotAllowed)?)?;
        Ok(Call::Approve {
            amount: self.get(2)?,
            expiration: self.get(3)?,
        })
    }

    fn count(&self, expected: u32) -> Result<(), Error> {
        allowed(self.call.args.len() == expected)
    }

    fn is(&self, at: u32, expected: &Address) -> Result<(), Error> {
        allowed(self.get::<Address>(at)? == *expected)
    }

    /// Refuses a payment from the wallet to itself.
    fn is_elsewhere(&self, recipient: &Address, state: &State) -> Result<(), Error> {
        allowed(*recipient != state.wallet)
    }

    fn get<T: TryFromVal<Env, Val>>(&self, at: u32) -> Result<T, Error> {
        let value = self.call.args.get(at).ok_or(Error::NotAllowed)?;
        T::try_from_val(self.env, &value).map_err(|_| Error::NotAllowed)
    }
}

fn allowed(it_is: bool) -> Result<(), Error> {
    it_is.then_some(()).ok_or(Error::NotAllowed)
}
