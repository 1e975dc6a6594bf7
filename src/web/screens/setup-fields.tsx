// Fields of the set-up that Settings shows as well: zones, units, and the rules of a password.

import { PASSWORD } from '../../base/texts.ts'
import type { Zone } from '../../engine/analysis.ts'
import { DEFAULT_ZONES, HEART_RATE_RANGE, ZONE_RANGES, type ZoneMethod, zonesOf } from '../../engine/run/zones.ts'
import type { Units } from '../format.ts'
import type { Zones } from '../types.ts'
import { Icon } from '../ui/button.tsx'
import { Field, Segments, Select, useFields } from '../ui/form.tsx'
import { TERMS, ZONE_NAMES } from '../words.ts'
import './later.css'

type Method = Zones['calculationMethod']

const METHODS = [
  ['AgeBased', 'From your age'],
  ['Karvonen', 'From resting and max HR'],
  ['Custom', 'Custom limits'],
] as const

/** Zones being edited, with the resulting limits. @param stored null: the service's default */
export function useZonesDraft(stored: Zones | null) {
  const { values, field, set } = useFields({
    method: (stored?.calculationMethod ?? 'AgeBased') as Method,
    // asked, not assumed
    age: stored === null ? '' : String(stored.age ?? 30),
    max: String(stored?.maxHeartRateBpm ?? 190),
    resting: String(stored?.restingHeartRateBpm ?? 60),
    /** Of the five custom zones: six. */
    limits: limitsOf(stored?.zones ?? DEFAULT_ZONES).map(String),
  })
  const { method, limits } = values
  const numbers = limits.map(integer)
  const body: ZoneMethod =
    method === 'AgeBased'
      ? { calculationMethod: method, age: integer(values.age) }
      : method === 'Custom'
        ? { calculationMethod: method, zones: numbers.slice(1).map((maxBpm, k) => ({ minBpm: numbers[k]!, maxBpm })) }
        : {
            calculationMethod: method,
            maxHeartRateBpm: integer(values.max),
            restingHeartRateBpm: integer(values.resting),
          }
  const fault = faultOf(body)
  const bounds = fault === null ? limitsOf(zonesOf(body)) : null
  return {
    method,
    // custom limits start with those of the method before
    setMethod: (next: Method) =>
      set({ method: next, limits: next === 'Custom' && bounds !== null ? bounds.map(String) : limits }),
    field,
    limits,
    setLimit: (index: number, value: string) => set({ limits: limits.with(index, value) }),
    /** Six limits in bpm; null while a value is missing or invalid. */
    bounds,
    fault,
    /** Nothing was entered yet. */
    isBlank: method === 'AgeBased' && values.age.trim() === '',
    body,
  }
}

function limitsOf(zones: readonly Zone[]): number[] {
  return [...zones.map(({ minBpm }) => minBpm), zones.at(-1)!.maxBpm]
}

function faultOf(body: ZoneMethod): string | null {
  const { age, restingHeartRateBpm, maxHeartRateBpm } = ZONE_RANGES
  if (body.calculationMethod === 'AgeBased') return outside('Age must be a whole number', body.age, age)
  if (body.calculationMethod === 'Karvonen') {
    const { restingHeartRateBpm: resting, maxHeartRateBpm: max } = body
    return (
      outside('Resting HR must be a whole number', resting, restingHeartRateBpm) ??
      outside('Max HR must be a whole number', max, maxHeartRateBpm) ??
      (max > resting ? null : 'Max HR must be above resting HR')
    )
  }
  const own = limitsOf(body.zones)
  const wrong = own.map((limit) => outside('Limits must be whole numbers', limit, HEART_RATE_RANGE)).find(Boolean)
  const isRising = own.every((limit, index) => index === 0 || limit > own[index - 1]!)
  return wrong ?? (isRising ? null : 'Each limit must be above the one before')
}

function integer(text: string): number {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN
}

function outside(rule: string, value: number, [from, to]: readonly [number, number]): string | null {
  return value >= from && value <= to ? null : `${rule} between ${from} and ${to}`
}

/** The fields of a method, and a picture of the resulting zones. */
export function ZonesFields({ draft }: { readonly draft: ReturnType<typeof useZonesDraft> }) {
  const { method, field, limits, setLimit, bounds } = draft
  const rangeText = (index: number) =>
    // a limit belongs to the zone above it; the highest zone includes its upper limit
    bounds === null ? '–' : `${bounds[index]}–${bounds[index + 1]! - (index === ZONE_NAMES.length - 1 ? 0 : 1)}`
  const number = { type: 'number', inputMode: 'numeric' } as const
  return (
    <div class="form">
      <Select label="Zone method" value={method} options={METHODS} onValue={draft.setMethod} />
      {method === 'AgeBased' && <Field {...number} {...field('age')} label="Age" suffix="years" />}
      {method === 'Karvonen' && (
        <div class="columns">
          <Field {...number} {...field('resting')} label={TERMS.restingHr} suffix="bpm" />
          <Field {...number} {...field('max')} label={TERMS.maxHr} suffix="bpm" />
        </div>
      )}
      {method === 'Custom' && (
        <div class="limits stack" style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(104px, 1fr))' }}>
          {limits.map((limit, index) => (
            <Field
              key={index}
              {...number}
              label={index === 5 ? 'Top' : `Zone ${index + 1} from`}
              value={limit}
              onText={(value) => setLimit(index, value)}
            />
          ))}
        </div>
      )}
      {draft.fault !== null && !draft.isBlank && (
        <p class="bad level small" role="alert">
          <Icon name="warning" /> {draft.fault}
        </p>
      )}
      <ol class="zones" aria-label="Zones">
        {ZONE_NAMES.map((name, index) => (
          <li key={name} class="zone stack small" style={{ '--zone': `var(--zone${index + 1})` }}>
            <span class="zone-name">
              {index + 1} <span class="muted">{name}</span>
            </span>
            <span class="bold">{rangeText(index)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

export function UnitsChoice(props: { readonly value: Units; readonly onValue: (units: Units) => void }) {
  return <Segments<Units> {...props} legend="Units" options={OPTIONS} />
}

const OPTIONS = [
  ['metric', 'Kilometres'],
  ['imperial', 'Miles'],
] as const

/** The rules of a password, each marked once fulfilled; whether it is a common one is checked by the service. */
export function PasswordRules({ password, username }: { readonly password: string; readonly username: string }) {
  const length = [...password].length
  const name = username.trim().toLowerCase()
  const isNamed = [...name].length >= 3 && password.toLowerCase().includes(name)
  const isShort = length < PASSWORD.least
  const isLong = length > PASSWORD.most || new TextEncoder().encode(password).length > PASSWORD.mostBytes
  const more = length > 0 && isShort ? `, ${PASSWORD.least - length} more` : ''
  const rules = [
    [
      !isShort && !isLong,
      isLong ? `At most ${PASSWORD.most} characters` : `At least ${PASSWORD.least} characters${more}`,
    ],
    [length > 0 && !/(.)\1{4}/su.test(password), 'No character five times in a row'],
    [length > 0 && !isNamed, 'Doesn’t contain your username'],
  ] as const
  return (
    <div class="rules stack">
      <ul class="stack gap-1 small" aria-label="Password rules">
        {rules.map(([isKept, text]) => (
          <li key={text} class={`level ${isKept ? 'good' : length > 0 ? '' : 'muted'}`}>
            <Icon name={isKept ? 'check' : 'dot'} />
            {text}
            <span class="hidden-text">{isKept ? ' (met)' : ' (not met)'}</span>
          </li>
        ))}
      </ul>
      <p class="muted small">Four or five unrelated words are easy to remember and hard to guess.</p>
    </div>
  )
}
