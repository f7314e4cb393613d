export {
  askPayment,
  type FilledPayment,
  type PaymentAnswer,
  type PaymentFacts,
  type PaymentStep,
  whatIsWrongWithPayment,
} from './paymentForm.ts';
