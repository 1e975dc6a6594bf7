import { useState } from 'preact/hooks'
import { lowered } from '../format.ts'
import { useResource, useUnits } from '../state.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Check, Field, Select } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { TERMS } from '../words.ts'
import { boundOf, type Filters, NONE, RANGES, rangeUnit } from './run-query.ts'

interface FiltersDialogProps {
  readonly filters: Filters
  readonly onChange: (changed: Partial<Filters>) => void
  readonly onClose: () => void
}

/** All filters of the list but search and type, which are above it. */
export function FiltersDialog({ filters, onChange, onClose }: FiltersDialogProps) {
  const units = useUnits()
  const [draft, setDraft] = useState(filters)
  const set = (changed: Partial<Filters>) => setDraft((now) => ({ ...now, ...changed }))
  const { data } = useResource('/shoes')
  const shoes = (data ?? []).map(({ id, brand, model }) => [id, `${brand} ${model}`] as const)
  const faultOf = (key: keyof Filters & string, name: (typeof RANGES)[number][0]) =>
    String(draft[key]).trim() !== '' && boundOf(name, String(draft[key]), units) === null
      ? `Enter a ${name === 'Pace' ? 'pace like 5:30' : 'number'}`
      : null
  const sides = RANGES.flatMap(([name]) => [[`min${name}`, name] as const, [`max${name}`, name] as const])
  return (
    <Dialog title="Filters" onClose={onClose}>
      <Form
        action="Show runs"
        isPrimary
        isIncomplete={sides.some(([key, name]) => faultOf(key, name) !== null)}
        onCancel={onClose}
        onSend={async () => {
          onChange(draft)
          onClose()
        }}
      >
        <div class="filter-pair stack">
          <Field label="From" type="date" value={draft.from} onText={(from) => set({ from })} />
          <Field label="Until" type="date" value={draft.to} onText={(to) => set({ to })} />
        </div>
        {RANGES.map(([name, , label]) => (
          <div key={name} class="filter-pair stack">
            {(['min', 'max'] as const).map((side) => (
              <Field
                key={side}
                label={boundName(side, label)}
                inputMode={name === 'Pace' ? 'text' : 'decimal'}
                {...(rangeUnit(name, units) === '' ? {} : { suffix: rangeUnit(name, units) })}
                value={draft[`${side}${name}`]}
                fault={faultOf(`${side}${name}`, name)}
                onText={(text) => set({ [`${side}${name}`]: text })}
              />
            ))}
          </div>
        ))}
        <div class="filter-pair stack">
          <Select<string>
            label="Shoes"
            value={draft.shoe}
            options={[['', 'Any'], ...shoes, [NONE, 'None']]}
            onValue={(shoe) => set({ shoe })}
          />
          <Field
            label="Device"
            placeholder="Part of its name"
            value={draft.device}
            onText={(device) => set({ device })}
          />
        </div>
        <Check checked={draft.counted !== ''} onValue={(isOnly) => set({ counted: isOnly ? 'yes' : '' })}>
          Only runs that count in statistics
        </Check>
      </Form>
    </Dialog>
  )
}

/** Of a pace the least is the fastest. */
function boundName(side: 'min' | 'max', label: string): string {
  if (label === TERMS.pace) return side === 'min' ? 'Fastest pace' : 'Slowest pace'
  return `${side === 'min' ? 'Min' : 'Max'} ${lowered(label)}`
}
