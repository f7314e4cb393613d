export { facilitatorsInCode, payToInCode, priceInCode, probableUrl } from './gateText.ts';
export { mayHoldRoutes, ROUTE_LANGUAGES } from './mayHoldRoutes.ts';
