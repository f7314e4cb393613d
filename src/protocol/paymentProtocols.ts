/** The protocols in which a resource can ask for its payment, in the order in which they are listed. */
export const PAYMENT_PROTOCOLS = ['x402', 'mpp'] as const;

export type PaymentProtocol = (typeof PAYMENT_PROTOCOLS)[number];
