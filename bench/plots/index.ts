export { type BarPlot, barPlot } from './barPlot.ts';
export { type LinePlot, linePlot } from './linePlot.ts';
