/** Names of the accounts that pay and are paid while the service is attacked (`testKey`). */
export const BUYERS = ['first honest buyer', 'second honest buyer'] as const;
export const SELLER = 'honest seller';
