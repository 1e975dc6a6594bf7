import type { MendedChannel } from '../engine/repair/mend.ts'
import { roundHalfUp } from '../engine/units.ts'

/** Names of channels in receipts. */
export const CHANNEL_NAMES: Readonly<Record<MendedChannel, string>> = {
  position: 'the route',
  heartRate: 'the heart rate',
  elevation: 'the altitude',
  cadence: 'the cadence',
  power: 'the power',
  all: 'all readings',
}

/** `4:10`, `1:02:03`. */
export function clock(seconds: number): string {
  const whole = roundHalfUp(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`
}
