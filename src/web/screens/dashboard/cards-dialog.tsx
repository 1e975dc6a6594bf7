import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import type { PageSettings } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Segments } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { TERMS } from '../../words.ts'
import { CARD_NAMES } from './card-names.ts'

/** Hides and orders the cards of the dashboard, and chooses what measures effort. */
export function CardsDialog({ page, onClose }: { readonly page: PageSettings; readonly onClose: () => void }) {
  const [cards, setCards] = useState(page.cards)
  const [effort, setEffort] = useState(page.effort)
  const move = (from: number, to: number) =>
    setCards((now) => {
      const others = now.toSpliced(from, 1)
      return others.toSpliced(to, 0, ...now.slice(from, from + 1))
    })
  return (
    <Dialog title="Customise dashboard" onClose={onClose}>
      <Form
        action="Save"
        isPrimary
        onCancel={onClose}
        onSend={async () => {
          await api.send('PUT', '/settings/page', { cards, effort })
          onClose()
        }}
      >
        <div class="flow spread">
          <span>Measure effort by</span>
          <Segments
            legend="Measure effort by"
            value={effort}
            options={[
              ['load', TERMS.load],
              ['relative', TERMS.relativeEffort],
            ]}
            onValue={setEffort}
          />
        </div>
        <ol class="card-order lines">
          {cards.map(({ id, shown }, index) => (
            <li key={id} class="level">
              <Check
                checked={shown}
                onValue={(isShown) => setCards(cards.map((card) => (card.id === id ? { id, shown: isShown } : card)))}
              >
                {CARD_NAMES[id]}
              </Check>
              <Button
                kind="quiet"
                size="small"
                icon="up"
                aria-label={`Move ${CARD_NAMES[id]} up`}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <Button
                kind="quiet"
                size="small"
                icon="down"
                aria-label={`Move ${CARD_NAMES[id]} down`}
                disabled={index === cards.length - 1}
                onClick={() => move(index, index + 1)}
              />
            </li>
          ))}
        </ol>
      </Form>
    </Dialog>
  )
}
