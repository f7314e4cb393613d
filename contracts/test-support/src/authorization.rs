use soroban_sdk::{
    xdr::{
        HashIdPreimage, HashIdPreimageSorobanAuthorization,
        HashIdPreimageSorobanAuthorizationWithAddress, InvokeContractArgs, Limits, ScVal,
        SorobanAddressCredentials, SorobanAuthorizationEntry, SorobanAuthorizedFunction,
        SorobanAuthorizedInvocation, SorobanCredentials, WriteXdr,
    },
    Address, Bytes, Env, TryFromVal, Val, Vec,
};

/// Builds a call, with the sub-invocations that are authorized along with it.
pub fn invocation(
    contract: &Address,
    function: &str,
    arguments: Vec<Val>,
    below: &[SorobanAuthorizedInvocation],
) -> SorobanAuthorizedInvocation {
    let env = arguments.env();
    let arguments: std::vec::Vec<ScVal> = arguments
        .iter()
        .map(|argument| ScVal::try_from_val(env, &argument).expect("a value of the ledger"))
        .collect();
    SorobanAuthorizedInvocation {
        function: SorobanAuthorizedFunction::ContractFn(InvokeContractArgs {
            contract_address: contract.into(),
            function_name: function.try_into().expect("a function's name"),
            args: arguments.try_into().expect("few arguments"),
        }),
        sub_invocations: below.to_vec().try_into().expect("few calls"),
    }
}

/// The two kinds of credentials that name an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credentials {
    Address,
    /// The signature also covers the address (CAP-71, since protocol 27).
    AddressBound,
}

/// A tree of calls for one address to sign.
#[derive(Clone)]
pub struct Authorization {
    pub credentials: Credentials,
    pub address: Address,
    /// The host's nonce, not to be confused with a contract's.
    pub nonce: i64,
    pub expiration: u32,
    pub root: SorobanAuthorizedInvocation,
}

impl Authorization {
    /// Returns the hash to sign.
    pub fn payload(&self, env: &Env) -> [u8; 32] {
        let network_id = env.ledger().network_id().to_array().into();
        let nonce = self.nonce;
        let signature_expiration_ledger = self.expiration;
        let invocation = self.root.clone();
        let preimage = match self.credentials {
            Credentials::Address => {
                HashIdPreimage::SorobanAuthorization(HashIdPreimageSorobanAuthorization {
                    network_id,
                    nonce,
                    signature_expiration_ledger,
                    invocation,
                })
            }
            Credentials::AddressBound => HashIdPreimage::SorobanAuthorizationWithAddress(
                HashIdPreimageSorobanAuthorizationWithAddress {
                    network_id,
                    nonce,
                    signature_expiration_ledger,
                    address: (&self.address).into(),
                    invocation,
                },
            ),
        };
        let bytes = preimage.to_xdr(Limits::none()).expect("small enough");
        env.crypto()
            .sha256(&Bytes::from_slice(env, &bytes))
            .to_array()
    }

    /// Returns the authorization entry for a transaction.
    pub fn signed(self, signature: ScVal) -> SorobanAuthorizationEntry {
        let credentials = SorobanAddressCredentials {
            address: (&self.address).into(),
            nonce: self.nonce,
            signature_expiration_ledger: self.expiration,
            signature,
        };
        SorobanAuthorizationEntry {
            credentials: match self.credentials {
                Credentials::Address => SorobanCredentials::Address(credentials),
                Credentials::AddressBound => SorobanCredentials::AddressV2(credentials),
            },
            root_invocation: self.root,
        }
    }
}
