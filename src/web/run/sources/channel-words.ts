import type { Sources } from '../types.ts'

/** Names of the channels of a recording. */
export const CHANNELS: Readonly<Record<Sources['recordings'][number]['channels'][number], string>> = {
  position: 'route',
  elevation: 'altitude',
  heartRate: 'heart rate',
  cadence: 'cadence',
  power: 'power',
  temperature: 'temperature',
}
