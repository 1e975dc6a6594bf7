import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { tanakaMaxBpm } from '../../../engine/training/thresholds.ts'
import { useAction } from '../../actions.ts'
import { api } from '../../api.ts'
import { date, distance, number, pace, text, type Units } from '../../format.ts'
import { Link } from '../../router.ts'
import { shoeName } from '../../run-fields.tsx'
import { useResource, useUnits } from '../../state.ts'
import type { Proposals } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Card, DataTable } from '../../ui/card.tsx'
import { Select } from '../../ui/form.tsx'
import { TERMS, ZONE_NAMES } from '../../words.ts'
import { offsetQuery } from '../stats.ts'
import { confidenceWords } from './cards.tsx'

type Proposal = Proposals[number]
type Value = Proposal['proposed']

const NAMES: Readonly<Record<Proposal['kind'], string>> = {
  maxHeartRate: TERMS.maxHr,
  lthr: TERMS.lthr,
  thresholdPace: TERMS.thresholdPace,
  zones: TERMS.heartRateZones,
  retire: 'Shoes',
}

/** Values that runs suggest instead of those in the profile; none applies before the runner accepts it. */
export function ProposalsCard() {
  const { data } = useResource(`/training/proposals?${offsetQuery()}`)
  if (data === null || data.length === 0) return null
  return (
    <Card title="Your runs suggest new values">
      <p class="muted small">Nothing changes unless you accept. An accepted value applies from the day you choose.</p>
      <ul class="training-list">
        {data.map((proposal) => (
          <li key={proposal.id}>
            {proposal.kind === 'retire' ? <Retirement proposal={proposal} /> : <NewValue proposal={proposal} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const LIVES = {
  high: 'your own limit',
  medium: 'your own limit',
  low: 'a usual limit; set your own under Shoes',
} as const

/** A pair of shoes that is near the end of its life. */
function Retirement({ proposal }: { readonly proposal: Proposal }) {
  const units = useUnits()
  const { data } = useResource('/shoes')
  const { current, proposed, confidence } = proposal
  const shoe = data?.find(({ id }) => id === proposal.shoeId)
  const name = shoe === undefined ? NAMES.retire : shoeName(shoe)
  return (
    <>
      <h3>Retire {name}</h3>
      <p>
        {text(distance(Number(current), units, 0))} of {text(distance(Number(proposed), units, 0))},{' '}
        <span class="muted">{LIVES[confidence]}</span>
      </p>
      <Answers proposal={proposal} name={name} />
    </>
  )
}

interface AnswersProps {
  readonly proposal: Proposal
  readonly name: string
  /** First day of the new value; empty: today. */
  readonly from?: string
  readonly children?: ComponentChildren
}

/** The buttons of a proposal; the service remembers what is kept. */
function Answers({ proposal: { id, kind, current }, name, from = '', children }: AnswersProps) {
  const { isBusy, act } = useAction(TERMS.notSaved)
  const accept = kind === 'retire' ? 'Retire' : 'Accept'
  // without a value now there is none to keep
  const keep = current === null ? 'Dismiss' : 'Keep'
  const answer = (isAccepted: boolean) => {
    const body = { accept: isAccepted, from: from === '' ? null : from }
    void act(() => api.send('POST', `/training/proposals/${encodeURIComponent(id)}`, body))
  }
  return (
    <div class="actions start above-2">
      {children}
      {kind !== 'zones' && (
        <Button size="small" isBusy={isBusy} aria-label={`${accept}: ${name}`} onClick={() => answer(true)}>
          {accept}
        </Button>
      )}
      <Button size="small" kind="quiet" disabled={isBusy} aria-label={`${keep}: ${name}`} onClick={() => answer(false)}>
        {keep}
      </Button>
    </div>
  )
}

function NewValue({ proposal }: { readonly proposal: Proposal }) {
  const units = useUnits()
  const { kind, current, proposed, unit, evidence, confidence, loadsPct } = proposal
  const [from, setFrom] = useState('')
  const days = [...new Set(evidence.map(({ date: day }) => day))]
  return (
    <>
      <h3>{NAMES[kind]}</h3>
      {typeof proposed === 'object' && (
        <ZoneBounds current={typeof current === 'object' ? (current ?? []) : []} proposed={proposed} />
      )}
      <p>
        {typeof proposed === 'number' &&
          (current === null
            ? `Your runs suggest ${valueText(proposed, unit, units)}. Base your loads on it?`
            : `Now ${valueText(current, unit, units)}; your runs suggest ${valueText(proposed, unit, units)}.`)}
        {loadsWords(loadsPct)} <span class="muted">{confidenceWords({ confidence, reasons: [] })}</span>
      </p>
      {kind === 'maxHeartRate' && <OfAge current={current} />}
      {evidence.length > 0 && (
        <p class="small">
          {evidence.map(({ workoutId, date: day, value }, at) => (
            <span key={workoutId}>
              {at > 0 && ' · '}
              <Link href={`/app/runs/${workoutId}`}>{date(day, 'short')}</Link>: {valueText(value, unit, units)}
            </span>
          ))}
        </p>
      )}
      <Answers proposal={proposal} name={NAMES[kind]} from={from}>
        {days.length > 0 && (
          <Select
            label="Effective from"
            value={from}
            options={[['', 'Today'], ...days.map((day) => [day, `${date(day, 'short')}, day of the run`] as const)]}
            onValue={setFrom}
          />
        )}
        {kind === 'zones' && (
          <Link href="/app/settings#zones" class="button small">
            Set in settings
          </Link>
        )}
      </Answers>
    </>
  )
}

interface ZoneBoundsProps {
  /** Lower bounds of the five zones and the upper bound of the last, bpm. */
  readonly current: readonly number[]
  readonly proposed: readonly number[]
}

/** The zones of today beside those of the runs. */
function ZoneBounds({ current, proposed }: ZoneBoundsProps) {
  const range = (bounds: readonly number[], zone: number) => {
    const isLast = zone === ZONE_NAMES.length - 1
    return `${number(bounds[zone] ?? null)}–${number((bounds[zone + 1] ?? 0) - (isLast ? 0 : 1))}`
  }
  return (
    <div class="tiles">
      <DataTable
        caption="Heart-rate zones, now and from your runs"
        heads={['Zone', 'Now, bpm', 'From your runs, bpm']}
        rows={ZONE_NAMES.map((name, zone) => [`${zone + 1} ${name}`, range(current, zone), range(proposed, zone)])}
      />
    </div>
  )
}

/** Compares with another formula when the present maximum heart rate is only derived from age. */
function OfAge({ current }: { readonly current: Value | null }) {
  const { data } = useResource('/settings/heart-rate-zones')
  const age = data?.age ?? null
  if (age === null || current !== 220 - age) return null
  return (
    <p class="muted small">
      The current value is 220 minus your age. A newer formula, 208 − 0.7 × age, gives {tanakaMaxBpm(age)} bpm.
    </p>
  )
}

/** Such as ` Loads grow by about 14%.` */
function loadsWords(pct: number | null): string {
  if (pct === null || pct === 0) return ''
  return ` Loads ${pct > 0 ? 'grow' : 'shrink'} by about ${number(Math.abs(pct))}%.`
}

function valueText(value: Value, unit: string, units: Units): string {
  if (typeof value !== 'number') return `${value.map((bound) => number(bound)).join(', ')} ${unit}`
  return unit === 's/km' ? text(pace(value, units)) : `${number(value)} ${unit}`
}
