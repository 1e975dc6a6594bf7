import { useState } from 'preact/hooks'
import { LENGTHS } from '../../../../texts.ts'
import { api } from '../../../api.ts'
import type { Units } from '../../../format.ts'
import { invalidate } from '../../../state.ts'
import type { Goal } from '../../../types.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/empty.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { useSubmit } from '../../../use-submit.ts'
import { today } from '../../stats.ts'
import { METRICS, type Metric, PERIODS, type Period, targetUnit } from './goal-words.ts'

interface GoalDialogProps {
  /** null: a new goal. */
  readonly goal: Goal | null
  readonly units: Units
  readonly onClose: () => void
}

const CALLS = '/training/goals'

/** Edits a goal; the service validates it. */
export function GoalDialog({ goal, units, onClose }: GoalDialogProps) {
  const [metric, setMetric] = useState<Metric>(goal?.metric ?? 'distanceM')
  const [period, setPeriod] = useState<Period>(goal?.period ?? 'month')
  const [name, setName] = useState(goal?.name ?? '')
  const [target, setTarget] = useState(goal === null ? '' : shownTarget(goal, units))
  const [days, setDays] = useState({
    from: goal?.from ?? today(),
    to: goal?.to ?? '',
    activeFrom: goal?.activeFrom ?? '',
    activeTo: goal?.activeTo ?? '',
  })
  const day = (key: keyof typeof days) => ({
    type: 'date' as const,
    value: days[key],
    onText: (value: string) => setDays({ ...days, [key]: value }),
  })
  const { unit, size } = targetUnit(metric, units)
  const amount = Number(target.replace(',', '.'))
  const isWhole = target.trim() !== '' && amount > 0 && (period !== 'dates' || (days.from !== '' && days.to !== ''))
  const { isBusy, fault, submit } = useSubmit(async () => {
    const isDated = period === 'dates'
    const body = {
      metric,
      period,
      target: amount * size,
      name: name.trim() === '' ? null : name.trim(),
      from: isDated ? days.from : null,
      to: isDated ? days.to : null,
      activeFrom: isDated ? null : orNull(days.activeFrom),
      activeTo: isDated ? null : orNull(days.activeTo),
    }
    if (goal === null) await api.send('POST', CALLS, body)
    else await api.send('PATCH', `${CALLS}/${goal.id}`, body)
    invalidate('/training')
    onClose()
  })
  return (
    <Dialog title={goal === null ? 'New goal' : 'Edit goal'} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        {fault !== null && <Notice kind="bad">{fault}</Notice>}
        <div class="columns">
          <Select<Metric>
            label="What"
            value={metric}
            options={Object.entries(METRICS) as [Metric, string][]}
            onValue={(chosen) => {
              setMetric(chosen)
              if (chosen !== metric) setTarget('')
            }}
          />
          <Field
            label="How much"
            value={target}
            onText={setTarget}
            suffix={unit}
            inputMode="decimal"
            autocomplete="off"
            required
          />
        </div>
        <Select<Period>
          label="When"
          value={period}
          options={Object.entries(PERIODS) as [Period, string][]}
          onValue={setPeriod}
        />
        {period === 'dates' ? (
          <div class="columns">
            <Field label="First day" {...day('from')} required />
            <Field label="Last day" {...day('to')} required />
          </div>
        ) : (
          <div class="columns">
            <Field label="Only from" hint="Empty: it always was" {...day('activeFrom')} />
            <Field label="Only until" hint="Empty: for good" {...day('activeTo')} />
          </div>
        )}
        <Field
          label="Name"
          value={name}
          onText={setName}
          maxLength={LENGTHS.name}
          hint="As you like; without one it is called what it is."
        />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={!isWhole}>
            {goal === null ? 'Set goal' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function shownTarget({ metric, target }: Goal, units: Units): string {
  return String(Math.round((100 * target) / targetUnit(metric, units).size) / 100)
}

function orNull(day: string): string | null {
  return day === '' ? null : day
}
