import { hasValues } from '../gather.ts'
import type { Column, Track } from '../track.ts'

/** Each thing that samples may have values of, and a column that has them. */
const CHANNELS = {
  position: 'latDeg',
  elevation: 'elevM',
  heartRate: 'heartRateBpm',
  cadence: 'cadenceRpm',
  power: 'powerW',
  temperature: 'temperatureC',
} as const satisfies Readonly<Record<string, Column>>

export type Channel = keyof typeof CHANNELS

/** What the samples of a track have values of; nothing without a track. */
export function channelsOf(track: Track | null): Channel[] {
  const channels = Object.keys(CHANNELS) as Channel[]
  return track === null ? [] : channels.filter((channel) => hasValues(track[CHANNELS[channel]]))
}
