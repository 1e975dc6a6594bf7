import { LENGTHS } from '../../../../base/texts.ts'
import { api } from '../../../api.ts'
import type { Units } from '../../../format.ts'
import { useUnits } from '../../../state.ts'
import type { Goal } from '../../../types.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { today } from '../../stats.ts'
import { METRICS, type Metric, PERIODS, type Period, targetUnit } from './goal-words.ts'

interface GoalDialogProps {
  /** null: a new goal. */
  readonly goal: Goal | null
  readonly onClose: () => void
}

const CALLS = '/training/goals'

/** Edits a goal; the service validates it. */
export function GoalDialog({ goal, onClose }: GoalDialogProps) {
  const units = useUnits()
  const { values, field, choice, set, form } = useFields(
    {
      metric: goal?.metric ?? ('distanceM' as Metric),
      period: goal?.period ?? ('month' as Period),
      name: goal?.name ?? '',
      target: goal === null ? '' : shownTarget(goal, units),
      from: goal?.from ?? today(),
      to: goal?.to ?? '',
      activeFrom: goal?.activeFrom ?? '',
      activeTo: goal?.activeTo ?? '',
    },
    { send },
  )
  const { metric, period } = values
  const { unit, size } = targetUnit(metric, units)
  const amount = Number(values.target.replace(',', '.'))
  const isDated = period === 'dates'
  const isWhole = amount > 0 && (!isDated || (values.from !== '' && values.to !== ''))
  async function send() {
    const body = {
      metric,
      period,
      target: amount * size,
      name: orNull(values.name.trim()),
      from: isDated ? values.from : null,
      to: isDated ? values.to : null,
      activeFrom: isDated ? null : orNull(values.activeFrom),
      activeTo: isDated ? null : orNull(values.activeTo),
    }
    if (goal === null) await api.send('POST', CALLS, body)
    else await api.send('PATCH', `${CALLS}/${goal.id}`, body)
    onClose()
  }
  return (
    <Dialog title={goal === null ? 'New goal' : 'Edit goal'} onClose={onClose}>
      <Form {...form} isIncomplete={!isWhole} action={goal === null ? 'Set goal' : 'Save'} isPrimary onCancel={onClose}>
        <div class="columns">
          <Select<Metric>
            label="Goal"
            value={metric}
            options={Object.entries(METRICS) as [Metric, string][]}
            onValue={(chosen) => chosen !== metric && set({ metric: chosen, target: '' })}
          />
          <Field label="Target" {...field('target')} suffix={unit} inputMode="decimal" autocomplete="off" required />
        </div>
        <Select<Period> label="Period" {...choice('period')} options={Object.entries(PERIODS) as [Period, string][]} />
        {isDated ? (
          <div class="columns">
            <Field label="First day" type="date" {...field('from')} required />
            <Field label="Last day" type="date" {...field('to')} required />
          </div>
        ) : (
          <div class="columns">
            <Field label="From" hint="Leave empty for “from the start”" type="date" {...field('activeFrom')} />
            <Field label="Until" hint="Leave empty for “no end”" type="date" {...field('activeTo')} />
          </div>
        )}
        <Field label="Name" {...field('name')} maxLength={LENGTHS.name} hint="Optional" />
      </Form>
    </Dialog>
  )
}

function shownTarget({ metric, target }: Goal, units: Units): string {
  return String(Math.round((100 * target) / targetUnit(metric, units).size) / 100)
}

function orNull(typed: string): string | null {
  return typed === '' ? null : typed
}
