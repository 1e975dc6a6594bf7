import { useState } from 'preact/hooks'
import { LENGTHS } from '../../../../base/texts.ts'
import { api } from '../../../api.ts'
import { date } from '../../../format.ts'
import type { AtOnePulse } from '../../../types.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { toastDone } from '../../../undo.ts'
import { attempt } from '../../../use-action.ts'
import { today } from '../../stats.ts'

type Mark = AtOnePulse['marks'][number]

/** Days from which on another watch or sensor was worn. */
export function MarksCard({ marks }: { readonly marks: readonly Mark[] }) {
  const [isAdding, setAdding] = useState(false)
  const remove = ({ id, name }: Mark) =>
    attempt(async () => toastDone(`${name} removed`, [await api.change('DELETE', `/truth/marks/${id}`)]))
  return (
    <Card
      title="Watches and sensors"
      aside={
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          Mark a sensor
        </Button>
      }
    >
      <p class="muted small">
        A sensor that reads 5 bpm lower looks like 5% of fitness. Mark the day when you change it, such as from the
        wrist to a strap. Watches are known from your recordings.
      </p>
      {marks.length > 0 && (
        <ul class="better-marks above-3">
          {marks.map((mark) => (
            <li key={`${mark.day} ${mark.name}`}>
              <span>
                {date(mark.day, 'short')}: {mark.name}
                {mark.kind === 'device' && <span class="muted"> (watch)</span>}
              </span>
              {mark.id !== null && (
                <Button size="small" icon="trash" onClick={() => void remove(mark)}>
                  <span class="hidden-text">{`Remove ${mark.name}`}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdding && <MarkDialog onClose={() => setAdding(false)} />}
    </Card>
  )
}

const RULES = {
  name: (typed: string) => (typed.trim() === '' ? 'Enter a name' : null),
  day: (typed: string) => (typed === '' ? 'Enter a date' : null),
}

function MarkDialog({ onClose }: { readonly onClose: () => void }) {
  const { values, field, form } = useFields({ name: '', day: today() }, { rules: RULES, send })
  async function send() {
    const { name, day } = values
    toastDone(`${name.trim()} marked`, [await api.change('POST', '/truth/marks', { name, day, kind: 'sensor' })])
    onClose()
  }
  return (
    <Dialog title="Mark a sensor" onClose={onClose}>
      <Form {...form} action="Mark" isPrimary onCancel={onClose}>
        <Field label="Name" {...field('name')} maxLength={LENGTHS.name} placeholder="Chest strap" required autofocus />
        <Field label="First day" type="date" {...field('day')} required />
      </Form>
    </Dialog>
  )
}
