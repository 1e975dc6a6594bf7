import { useState } from 'preact/hooks'
import { ApiError, api } from '../../api.ts'
import { counted, date, number, pace, text, type Units } from '../../format.ts'
import { Link } from '../../router.ts'
import { invalidate, useResource, useUnits } from '../../state.ts'
import type { Proposals } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { toast } from '../../ui/toast.tsx'
import { offsetQuery } from '../stats.ts'

type Proposal = Proposals[number]
type Value = Proposal['current']

const NAMES = {
  maxHeartRate: 'Maximum heart rate',
  lthr: 'Heart rate at the one-hour limit',
  thresholdPace: 'Threshold pace',
  zones: 'Heart-rate zones',
} as const

/** Values that runs suggest instead of those in the profile; none applies before the runner accepts it. */
export function ProposalsCard() {
  const { data } = useResource<Proposals>(`/training/proposals?${offsetQuery()}`)
  if (data === null || data.length === 0) return null
  return (
    <Card title="Your runs say something else">
      <p class="muted small">Nothing changes unless you accept it. An accepted value counts from today on.</p>
      <ul class="training-list">
        {data.map((proposal) => (
          <ProposalLine key={proposal.id} proposal={proposal} />
        ))}
      </ul>
    </Card>
  )
}

function ProposalLine({ proposal }: { readonly proposal: Proposal }) {
  const units = useUnits()
  const [isBusy, setBusy] = useState(false)
  const { id, kind, current, proposed, unit, evidence, confidence } = proposal
  const answer = async (accept: boolean) => {
    setBusy(true)
    try {
      await api.send('POST', `/training/proposals/${encodeURIComponent(id)}`, { accept })
    } catch (error) {
      toast(error instanceof ApiError ? error.message : 'That could not be saved. Try again.')
    }
    setBusy(false)
    for (const prefix of ['/training', '/settings']) invalidate(prefix)
  }
  return (
    <li>
      <h3>{NAMES[kind]}</h3>
      <p>
        Now {valueText(current, unit, units)}, by your runs {valueText(proposed, unit, units)}.{' '}
        <span class="muted">Confidence {confidence}.</span>
      </p>
      {evidence.length > 0 && (
        <p class="small">
          From {counted(evidence.length, 'run')}:{' '}
          {evidence.map(({ workoutId, date: day, value }, index) => (
            <span key={workoutId}>
              {index > 0 && ', '}
              <Link href={`/app/runs/${workoutId}`}>{date(day, 'short')}</Link> (
              {kind === 'thresholdPace' ? `VDOT ${number(value, 1)}` : valueText(value, unit, units)})
            </span>
          ))}
        </p>
      )}
      <div class="actions start">
        {kind === 'zones' ? (
          <Link href="/app/settings#zones" class="button small">
            Set them in Settings
          </Link>
        ) : (
          <Button size="small" isBusy={isBusy} aria-label={`Accept: ${NAMES[kind]}`} onClick={() => void answer(true)}>
            Accept
          </Button>
        )}
        <Button
          size="small"
          kind="quiet"
          disabled={isBusy}
          aria-label={`Turn down: ${NAMES[kind]}`}
          onClick={() => void answer(false)}
        >
          Turn down
        </Button>
      </div>
    </li>
  )
}

function valueText(value: Value, unit: string, units: Units): string {
  if (typeof value !== 'number') return `${value.map((bound) => number(bound)).join(', ')} ${unit}`
  return unit === 's/km' ? text(pace(value, units)) : `${number(value)} ${unit}`
}
