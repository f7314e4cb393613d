import type { TimeBoundsReading } from '../close/index.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

const READINGS: readonly TimeBoundsReading[] = ['network', 'clock'];

/** Sets what time bounds are compared with, until the network stops. @throws RpcError */
export function setTimeBounds(
  { service }: ControlNetwork,
  params: unknown,
): { by: TimeBoundsReading } {
  const by = new ControlParams(params, ['by']).oneOf('by', READINGS);
  service.timeBounds = by;
  return { by };
}
