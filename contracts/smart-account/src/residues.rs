//! Arithmetic modulo an odd prime of at most 256 bits, one bit at a time: every payment pays for the module's size, and
//! this runs only when an owner is added. Its running time depends on the numbers, which are public.

/// Four limbs, least significant first.
pub type Number = [u64; 4];

pub const ZERO: Number = [0; 4];
pub const ONE: Number = [1, 0, 0, 0];

/// A prime, with arithmetic on the numbers below it.
pub struct Field(pub Number);

impl Field {
    /// Returns whether a number is below the prime.
    pub fn holds(&self, number: &Number) -> bool {
        less(number, &self.0)
    }

    pub fn add(&self, a: &Number, b: &Number) -> Number {
        let (sum, carry) = plus(a, b);
        if carry || !self.holds(&sum) {
            minus(&sum, &self.0).0
        } else {
            sum
        }
    }

    pub fn subtract(&self, a: &Number, b: &Number) -> Number {
        let (difference, borrow) = minus(a, b);
        if borrow {
            plus(&difference, &self.0).0
        } else {
            difference
        }
    }

    pub fn multiply(&self, a: &Number, b: &Number) -> Number {
        let mut product = ZERO;
        for bit in (0..256).rev() {
            product = self.add(&product, &product);
            if b[bit / 64] >> (bit % 64) & 1 == 1 {
                product = self.add(&product, a);
            }
        }
        product
    }

    /// Returns whether a nonzero number is a square, that is, whether its Jacobi symbol is 1.
    pub fn is_square(&self, number: &Number) -> bool {
        let (mut a, mut n) = (*number, self.0);
        let mut square = true;
        while a != ZERO {
            if a[0] & 1 == 0 {
                a = half(&a);
                // The Jacobi symbol of 2 modulo n is 1 exactly if n is 1 or 7 modulo 8.
                square ^= matches!(n[0] & 7, 3 | 5);
                continue;
            }
            if less(&a, &n) {
                (a, n) = (n, a);
                square ^= a[0] & n[0] & 3 == 3;
            }
            a = minus(&a, &n).0;
        }
        square && n == ONE
    }
}

fn plus(a: &Number, b: &Number) -> (Number, bool) {
    let (mut sum, mut carry) = (ZERO, false);
    for at in 0..4 {
        let (once, first) = a[at].overflowing_add(b[at]);
        let (twice, second) = once.overflowing_add(u64::from(carry));
        (sum[at], carry) = (twice, first || second);
    }
    (sum, carry)
}

fn minus(a: &Number, b: &Number) -> (Number, bool) {
    let (mut difference, mut borrow) = (ZERO, false);
    for at in 0..4 {
        let (once, first) = a[at].overflowing_sub(b[at]);
        let (twice, second) = once.overflowing_sub(u64::from(borrow));
        (difference[at], borrow) = (twice, first || second);
    }
    (difference, borrow)
}

fn less(a: &Number, b: &Number) -> bool {
    minus(a, b).1
}

fn half(number: &Number) -> Number {
    let mut half = ZERO;
    let mut above = 0;
    for at in (0..4).rev() {
        half[at] = number[at] >> 1 | above << 63;
        above = number[at];
    }
    half
}
