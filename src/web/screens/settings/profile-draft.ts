import { PROFILE_RANGES } from '../../../engine/training/profile.ts'
import { duration, type Units, unitLengthM } from '../../format.ts'
import type { TrainingProfile } from '../../types.ts'
import { TERMS } from '../../words.ts'

type Entry = TrainingProfile['entries'][number]
type EntryKey = Exclude<keyof Entry, 'from'>

/** An entry as typed. */
export type EntryDraft = Readonly<Record<keyof Entry, string>>

export const ENTRY_KEYS = [
  'maxHeartRateBpm',
  'restingHeartRateBpm',
  'lthrBpm',
  'thresholdPaceS',
  'massKg',
  'heightCm',
] as const satisfies readonly EntryKey[]

export const AMOUNT_KEYS = [
  'fitnessDays',
  'fatigueDays',
  'fitnessSeed',
  'referenceHeartRateBpm',
  'minRunsPerWeek',
] as const satisfies readonly (keyof TrainingProfile)[]
export type AmountKey = (typeof AMOUNT_KEYS)[number]

export interface ProfileDraft extends Readonly<Record<AmountKey, string>> {
  readonly sex: 'female' | 'male' | 'unsaid'
  /** Of the day in it; at first the latest that is stored. */
  readonly entry: EntryDraft
  /** As typed, slowest first; null: derived from hard efforts. */
  readonly paceZoneBorders: readonly string[] | null
}

const KG_PER_POUND = 0.45359237
const CM_PER_INCH = 2.54
const PACE = /^(\d{1,2}):([0-5]\d)$/

interface EntryField {
  readonly label: string
  readonly unit: string
  /** Factor from the displayed unit to that of the service; null: a pace. */
  readonly size: number | null
}

/** The fields of an entry in the reader's units. */
export function entryFields(units: Units): Readonly<Record<EntryKey, EntryField>> {
  const isMetric = units === 'metric'
  const bpm = { unit: 'bpm', size: 1 }
  return {
    maxHeartRateBpm: { ...bpm, label: TERMS.maxHr },
    restingHeartRateBpm: { ...bpm, label: TERMS.restingHr },
    lthrBpm: { ...bpm, label: TERMS.lthr },
    thresholdPaceS: { label: TERMS.thresholdPace, unit: isMetric ? '/km' : '/mi', size: null },
    massKg: { label: 'Weight', unit: isMetric ? 'kg' : 'lb', size: isMetric ? 1 : KG_PER_POUND },
    heightCm: { label: 'Height', unit: isMetric ? 'cm' : 'in', size: isMetric ? 1 : CM_PER_INCH },
  }
}

export function draftOf(stored: TrainingProfile, units: Units): ProfileDraft {
  const entry = stored.entries.at(-1)
  const text = (name: EntryKey) => (entry === undefined ? '' : textOf(entry, name, units))
  return {
    ...recordOf(AMOUNT_KEYS, (key) => String(stored[key] ?? '')),
    sex: stored.sex ?? 'unsaid',
    entry: { ...recordOf(ENTRY_KEYS, text), from: entry?.from ?? '' },
    paceZoneBorders: stored.paceZoneBorders?.map((paceS) => paceShown(paceS, units)) ?? null,
  }
}

function recordOf<K extends string, V>(keys: readonly K[], value: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>
}

/** Such as `Max HR 187 bpm · Threshold pace 4:25 /km`. */
export function entryText(entry: Entry, units: Units): string {
  const fields = entryFields(units)
  const said = ENTRY_KEYS.filter((name) => entry[name] !== null)
  return said.map((name) => `${fields[name].label} ${textOf(entry, name, units)} ${fields[name].unit}`).join(' · ')
}

function textOf(entry: Entry, name: EntryKey, units: Units): string {
  const value = entry[name]
  const { size } = entryFields(units)[name]
  if (value === null) return ''
  return size === null ? paceShown(value, units) : String(Math.round((10 * value) / size) / 10)
}

/** The error of a typed value; null: none, or empty. */
export function entryFault(name: EntryKey, value: string, units: Units): string | null {
  if (value.trim() === '') return null
  const { size, unit } = entryFields(units)[name]
  const [min, max] = PROFILE_RANGES[name]
  if (size === null) {
    const paceS = paceOf(value, units)
    if (paceS === null) return 'Enter minutes and seconds, like 4:30'
    return paceS < min || paceS > max ? `Enter ${paceShown(min, units)}–${paceShown(max, units)} ${unit}` : null
  }
  const number = numberOf(value)
  if (number === null || number * size < min - 0.05 || number * size > max + 0.05) {
    return `Enter ${Math.ceil(min / size)}–${Math.floor(max / size)} ${unit}`
  }
  return unit === 'bpm' && !Number.isInteger(number) ? TERMS.enterWholeNumber : null
}

/** Why the draft cannot be sent; null: it can. Consistency between fields is checked by the service. */
export function draftFault({ entry, paceZoneBorders }: ProfileDraft, units: Units): string | null {
  if (ENTRY_KEYS.some((name) => entryFault(name, entry[name], units) !== null)) {
    return 'One of the values above is out of range'
  }
  if (paceZoneBorders?.some((value) => paceOf(value, units) === null)) return 'Enter limits as paces, like 5:10'
  return null
}

/**
 * The request body. @param stored the settings that the draft was made from: an unchanged text keeps their exact value
 */
export function bodyOf(draft: ProfileDraft, stored: TrainingProfile, units: Units): object {
  const latest = stored.entries.at(-1)
  const value = (name: EntryKey) => {
    const typed = draft.entry[name]
    if (typed.trim() === '') return null
    if (latest !== undefined && textOf(latest, name, units) === typed) return latest[name]
    const { size } = entryFields(units)[name]
    if (size === null) return paceOf(typed, units)
    const number = numberOf(typed)
    return number === null ? null : Math.round(10 * number * size) / 10
  }
  const from = draft.entry.from === '' ? null : draft.entry.from
  const values = recordOf(ENTRY_KEYS, value)
  const others = stored.entries.filter((entry) => entry.from !== from)
  // one without any value is dropped
  const own = Object.values(values).some((one) => one !== null) ? [{ from, ...values }] : []
  const entries = [...others, ...own].toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
  return {
    ...recordOf(AMOUNT_KEYS, (key) => numberOf(draft[key])),
    sex: draft.sex === 'unsaid' ? null : draft.sex,
    paceZoneBorders:
      draft.paceZoneBorders?.map((border, index) => {
        const before = stored.paceZoneBorders?.[index]
        return before !== undefined && paceShown(before, units) === border ? before : paceOf(border, units)
      }) ?? null,
    entries,
  }
}

/** Seconds per km from `4:30` per km or mile; null: it is not a pace. */
function paceOf(value: string, units: Units): number | null {
  const [, minutes, seconds] = PACE.exec(value.trim()) ?? []
  if (minutes === undefined) return null
  return Math.round((10_000 * (60 * Number(minutes) + Number(seconds))) / unitLengthM(units)) / 10
}

export function paceShown(paceS: number, units: Units): string {
  return duration((paceS * unitLengthM(units)) / 1000)
}

function numberOf(value: string): number | null {
  const number = Number(value.replace(',', '.'))
  return value.trim() === '' || !Number.isFinite(number) ? null : number
}
