import { hasValues } from '../gather.ts'
import type { Column, Track } from '../track.ts'

/** Each kind of reading that samples may have, and the columns that hold it. */
export const CHANNELS = {
  position: 'latDeg',
  elevation: 'elevM',
  heartRate: 'heartRateBpm',
  cadence: 'cadenceRpm',
  power: 'powerW',
  temperature: 'temperatureC',
} as const satisfies Readonly<Record<string, Column>>

export type Channel = keyof typeof CHANNELS

/** The kinds of readings that a track has; none without a track. */
export function channelsOf(track: Track | null): Channel[] {
  const channels = Object.keys(CHANNELS) as Channel[]
  return track === null ? [] : channels.filter((channel) => hasValues(track[CHANNELS[channel]]))
}
