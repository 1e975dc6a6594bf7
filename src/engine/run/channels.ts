import type { Track } from '../track.ts'

/** What the samples of a recording may have values of. */
export type Channel = 'position' | 'elevation' | 'heartRate' | 'cadence' | 'power' | 'temperature'

/** What the samples of a track have values of. */
export function channelsOf(track: Track): Channel[] {
  const columns: readonly (readonly [Channel, Float64Array])[] = [
    ['position', track.latDeg],
    ['elevation', track.elevM],
    ['heartRate', track.heartRateBpm],
    ['cadence', track.cadenceRpm],
    ['power', track.powerW],
    ['temperature', track.temperatureC],
  ]
  return columns.filter(([, column]) => column.some((value) => !Number.isNaN(value))).map(([channel]) => channel)
}
