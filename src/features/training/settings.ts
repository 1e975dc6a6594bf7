import type { Static } from '@sinclair/typebox'
import { invalid } from '../../base/errors.ts'
import type { StoredProfileEntry, TrainingSettings } from '../../db/schema-training.ts'
import type { ProfileSource } from '../../engine/training/profile.ts'
import { LEAST_ABOVE_REST_BPM, LEAST_RESERVE_BPM, profileOn, type ZonesProfile } from '../../engine/training/profile.ts'
import { thresholdPaceS } from '../../engine/training/vdot.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { DEFAULT_TRAINING, profileEntries } from '../../library/training/profile.ts'
import type { TrainingLibrary, Viewer } from './library.ts'
import type { TrainingSettingsBody } from './settings-schemas.ts'

export const NO_ENTRY: StoredProfileEntry = {
  from: null,
  maxHeartRateBpm: null,
  restingHeartRateBpm: null,
  lthrBpm: null,
  thresholdPaceS: null,
  massKg: null,
  heightCm: null,
}

/** The complete settings of a request. @throws AppError 400 that names the field and the rule */
export function requestedSettings(body: Static<typeof TrainingSettingsBody>, zones: ZonesProfile): TrainingSettings {
  const entries = (body.entries ?? []).map((entry): StoredProfileEntry => ({ ...NO_ENTRY, ...defined(entry) }))
  const settings = { ...DEFAULT_TRAINING, ...defined(body), entries: inOrder(entries) } as TrainingSettings
  if (settings.fatigueDays >= settings.fitnessDays)
    throw invalid('fatigueDays must be below fitnessDays', { field: 'fatigueDays' })
  const borders = settings.paceZoneBorders
  if (borders?.some((paceS, i) => i > 0 && paceS >= borders[i - 1]!)) {
    throw invalid('paceZoneBorders must each be faster than the one before', { field: 'paceZoneBorders' })
  }
  expectSound(settings, zones)
  return settings
}

/** Only the members that were sent. */
export function defined<T extends object>(sent: T): Partial<T> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Partial<T>
}

function inOrder(entries: readonly StoredProfileEntry[]): StoredProfileEntry[] {
  const sorted = entries.toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
  for (const [i, { from }] of sorted.entries()) {
    if (i > 0 && sorted[i - 1]!.from === from)
      throw invalid(`Two entries are effective from ${from ?? 'ever'} on`, { field: 'entries' })
  }
  return sorted
}

/**
 * Checks that the values valid on each day are consistent; values of an entry may combine with those of older ones.
 * @throws AppError 400
 */
export function expectSound(settings: TrainingSettings, zones: ZonesProfile): void {
  const entries = profileEntries(settings)
  for (const [i, { from }] of entries.entries()) {
    const day = from ?? Number.MIN_SAFE_INTEGER
    const held = entries.slice(0, i + 1)
    const saidRest = held.findLast(({ restingHeartRateBpm }) => restingHeartRateBpm !== null)?.restingHeartRateBpm
    const saidLimit = held.findLast(({ lthrBpm }) => lthrBpm !== null)?.lthrBpm
    const { maxHeartRateBpm, restingHeartRateBpm } = profileOn(day, held, zones)
    if (saidRest != null && saidRest >= maxHeartRateBpm.value - LEAST_RESERVE_BPM) {
      throw invalid(`restingHeartRateBpm must be more than ${LEAST_RESERVE_BPM} below maxHeartRateBpm`)
    }
    const isInside =
      saidLimit == null ||
      (saidLimit >= restingHeartRateBpm.value + LEAST_ABOVE_REST_BPM && saidLimit <= maxHeartRateBpm.value)
    if (!isInside) {
      throw invalid(
        `lthrBpm must be at least ${LEAST_ABOVE_REST_BPM} above restingHeartRateBpm and at most maxHeartRateBpm`,
      )
    }
  }
}

/** The settings, and the values that apply today. @param vdot of today; null: unknown */
export function settingsAnswer(library: TrainingLibrary, { today }: Viewer, vdot: number | null) {
  const settings = library.settings()
  const profile = library.profile(today)
  const own = (value: number | null) => ({ value, source: value === null ? null : ('runner' as ProfileSource) })
  const estimatedPaceS = vdot === null ? null : roundHalfUp(thresholdPaceS(vdot), 1)
  return {
    ...settings,
    paceZoneBorders: settings.paceZoneBorders === null ? null : [...settings.paceZoneBorders],
    entries: [...settings.entries],
    effective: {
      maxHeartRateBpm: profile.maxHeartRateBpm,
      restingHeartRateBpm: profile.restingHeartRateBpm,
      lthrBpm: profile.lthrBpm,
      thresholdPaceS:
        profile.thresholdPaceS !== null
          ? own(profile.thresholdPaceS)
          : { value: estimatedPaceS, source: estimatedPaceS === null ? null : ('estimated' as ProfileSource) },
      massKg: profile.massKg === null ? { value: 70, source: 'default' as ProfileSource } : own(profile.massKg),
      heightCm: own(profile.heightCm),
    },
  }
}
