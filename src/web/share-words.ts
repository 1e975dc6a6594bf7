import { date } from './format.ts'
import type { Share } from './types.ts'
import { TERMS } from './words.ts'

export type SharedPart = keyof Share['show']

/** What the runner chooses to show. */
export const SHARED_PARTS = [
  ['map', 'Map'],
  ['pace', TERMS.pace],
  ['heartRate', TERMS.heartRate],
  ['photos', 'Photos'],
  ['notes', 'Notes'],
  ['startTime', 'Time of day'],
] as const satisfies readonly (readonly [part: SharedPart, name: string])[]

/** `Shows map, pace, time of day`. */
export function shownWords(show: Share['show']): string {
  const names = SHARED_PARTS.flatMap(([part, name]) => (show[part] ? name.toLowerCase() : []))
  return names.length === 0 ? 'Shows totals only' : `Shows ${names.join(', ')}`
}

/** `Shared until 30 Dec 2026`. */
export function sharedWords({ expiresAt }: Pick<Share, 'expiresAt'>): string {
  return `Shared until ${expiresAt === null ? 'withdrawn' : date(expiresAt)}`
}

/** The call for what others see of a run. */
export function sharedViewPath(id: string, show: Share['show']) {
  const query = SHARED_PARTS.map(([part]) => `${part}=${show[part]}`).join('&')
  return `/workouts/${id}/shared-view?${query}` as const
}
