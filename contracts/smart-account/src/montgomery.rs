//! Arithmetic modulo an odd prime of 256 bits or one less, in Montgomery's form. Its time depends on the numbers:
//! they are public.

/// Four limbs, the least first.
pub type Number = [u64; 4];

const ONE: Number = [1, 0, 0, 0];

/// Numbers below a prime; those inside are multiplied by 2^256.
pub struct Field {
    prime: Number,
    /// -1 / prime modulo 2^64.
    inverse: u64,
}

impl Field {
    pub const fn new(prime: Number) -> Self {
        // Newton's iteration doubles the number of good bits each time.
        let mut inverse = 1u64;
        let mut round = 0;
        while round < 6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(prime[0].wrapping_mul(inverse)));
            round += 1;
        }
        Self {
            prime,
            inverse: inverse.wrapping_neg(),
        }
    }

    /// A number in the field's form; none if it is not below the prime.
    pub fn enter(&self, number: &Number) -> Option<Number> {
        if less(number, &self.prime) {
            // Doubling 256 times multiplies by 2^256.
            Some((0..256).fold(*number, |sum, _| self.add(&sum, &sum)))
        } else {
            None
        }
    }

    /// One.
    pub fn unit(&self) -> Number {
        self.enter(&ONE).unwrap_or(ONE)
    }

    /// (prime - 1) / 2: to this power squares give one, and other numbers do not.
    pub fn half(&self) -> Number {
        let [a, b, c, d] = self.prime;
        let joined = |low: u64, high: u64| (low >> 1) | (high << 63);
        [joined(a, b), joined(b, c), joined(c, d), d >> 1]
    }

    pub fn add(&self, a: &Number, b: &Number) -> Number {
        let (sum, carry) = plus(a, b);
        self.below(sum, carry)
    }

    pub fn subtract(&self, a: &Number, b: &Number) -> Number {
        let (difference, borrow) = minus(a, b);
        if borrow {
            plus(&difference, &self.prime).0
        } else {
            difference
        }
    }

    pub fn multiply(&self, a: &Number, b: &Number) -> Number {
        let mut sum = [0u64; 6];
        for digit in a {
            accumulate(&mut sum, b, *digit);
            accumulate(&mut sum, &self.prime, sum[0].wrapping_mul(self.inverse));
            sum = [sum[1], sum[2], sum[3], sum[4], sum[5], 0];
        }
        self.below([sum[0], sum[1], sum[2], sum[3]], sum[4] != 0)
    }

    pub fn power(&self, base: &Number, exponent: &Number) -> Number {
        let mut result = self.unit();
        for bit in (0..256).rev() {
            result = self.multiply(&result, &result);
            if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
                result = self.multiply(&result, base);
            }
        }
        result
    }

    fn below(&self, number: Number, carry: bool) -> Number {
        if carry || !less(&number, &self.prime) {
            minus(&number, &self.prime).0
        } else {
            number
        }
    }
}

/// Adds `number * digit`.
fn accumulate(sum: &mut [u64; 6], number: &Number, digit: u64) {
    let mut carry = 0u128;
    for at in 0..4 {
        let part = u128::from(number[at]) * u128::from(digit) + u128::from(sum[at]) + carry;
        sum[at] = part as u64;
        carry = part >> 64;
    }
    let part = u128::from(sum[4]) + carry;
    sum[4] = part as u64;
    sum[5] += (part >> 64) as u64;
}

fn plus(a: &Number, b: &Number) -> (Number, bool) {
    let mut carry = false;
    let sum = core::array::from_fn(|at| {
        let (once, first) = a[at].overflowing_add(b[at]);
        let (twice, second) = once.overflowing_add(u64::from(carry));
        carry = first || second;
        twice
    });
    (sum, carry)
}

fn minus(a: &Number, b: &Number) -> (Number, bool) {
    let mut borrow = false;
    let difference = core::array::from_fn(|at| {
        let (once, first) = a[at].overflowing_sub(b[at]);
        let (twice, second) = once.overflowing_sub(u64::from(borrow));
        borrow = first || second;
        twice
    });
    (difference, borrow)
}

fn less(a: &Number, b: &Number) -> bool {
    minus(a, b).1
}
