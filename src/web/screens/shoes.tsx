import { useState } from 'preact/hooks'
import { METRES_PER_MILE } from '../../engine/units.ts'
import { LENGTHS } from '../../texts.ts'
import { api } from '../api.ts'
import { date, distance, distanceUnit, number, text, type Units, unitLengthM } from '../format.ts'
import { GearOffer } from '../import/gear-offer.tsx'
import { useImports } from '../import/queue.ts'
import { invalidate, useResource, useUnits } from '../state.ts'
import type { DefaultShoe, Shoe } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Empty, LoadFailure } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { toast } from '../ui/toast.tsx'
import { toastDone } from '../undo.ts'
import './shoes.css'

/** The range in which most makers recommend replacing a pair; the second value is the end of the bar. */
const FADING_M = 500_000
const WORN_M = 800_000
const DEFAULT_SHOE = '/settings/default-shoe'

type Asked = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly shoe: Shoe }

/** The shoes with their mileage, and the default shoe. */
export function Shoes() {
  const units = useUnits()
  const { data, error, reload } = useResource<Shoe[]>('/shoes')
  const chosen = useResource<DefaultShoe | null>(DEFAULT_SHOE)
  const [asked, setAsked] = useState<Asked | null>(null)
  // the import tray offers the shoes while it is visible
  const isOffered = useImports().some(({ gear }) => gear.length > 0)
  const close = () => setAsked(null)
  const defaultId = chosen.data?.defaultShoeId ?? null
  return (
    <div class="page shoes">
      <div class="page-head">
        <h1 tabIndex={-1}>Shoes</h1>
        {data !== null && data.length > 0 && (
          <Button icon="plus" onClick={() => setAsked({ kind: 'new' })}>
            Add shoes
          </Button>
        )}
      </div>
      {!isOffered && (
        <div class="shoes-found">
          <GearOffer />
        </div>
      )}
      {data === null ? (
        error === null ? (
          <SkeletonLines count={3} height="112px" />
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : data.length === 0 ? (
        <div class="card">
          <Empty
            icon="shoes"
            title="No shoes yet"
            action={
              <Button kind="primary" icon="plus" onClick={() => setAsked({ kind: 'new' })}>
                Add shoes
              </Button>
            }
          >
            Add the pairs you run in. New runs get the default pair, and each pair adds up its distance.
          </Empty>
        </div>
      ) : (
        <ul class="shoe-list">
          {data.map((shoe) => (
            <ShoeCard
              key={shoe.id}
              shoe={shoe}
              isDefault={shoe.id === defaultId}
              units={units}
              onEdit={() => setAsked({ kind: 'edit', shoe })}
              onDelete={() => setAsked({ kind: 'delete', shoe })}
            />
          ))}
        </ul>
      )}
      {data !== null && data.length > 0 && (
        <p class="muted small shoe-note">
          The mark stands at {text(distance(FADING_M, units, 0))} and the bar ends at {text(distance(WORN_M, units, 0))}
          : between the two most pairs are worn.
        </p>
      )}
      {asked?.kind === 'new' && <ShoeDialog shoe={null} units={units} onClose={close} />}
      {asked?.kind === 'edit' && <ShoeDialog shoe={asked.shoe} units={units} onClose={close} />}
      {asked?.kind === 'delete' && <DeleteDialog shoe={asked.shoe} onClose={close} />}
    </div>
  )
}

interface ShoeCardProps {
  readonly shoe: Shoe
  readonly isDefault: boolean
  readonly units: Units
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function ShoeCard({ shoe, isDefault, units, onEdit, onDelete }: ShoeCardProps) {
  const wornM = mileageM(shoe)
  const setDefault = async () => {
    try {
      await api.send('PUT', DEFAULT_SHOE, { defaultShoeId: isDefault ? null : shoe.id })
      invalidate(DEFAULT_SHOE)
      toast(isDefault ? 'New runs get no shoes' : `New runs get ${shoe.brand} ${shoe.model}`)
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <li class="card shoe">
      <div class="shoe-name">
        <h2>
          <span class="muted">{shoe.brand}</span> {shoe.model}
        </h2>
        {isDefault && (
          <span class="default">
            <Icon name="star" /> Default
          </span>
        )}
      </div>
      <p class="shoe-sum">
        <strong>{number(wornM / unitLengthM(units), 0)}</strong> <span class="muted">{distanceUnit(units)}</span>
      </p>
      <Menu
        label={`Actions for ${shoe.brand} ${shoe.model}`}
        items={[
          { text: isDefault ? 'No longer default' : 'Make default', icon: 'star', onChoose: () => void setDefault() },
          { text: 'Edit', icon: 'edit', onChoose: onEdit },
          { text: 'Delete', icon: 'trash', isDangerous: true, onChoose: onDelete },
        ]}
      />
      <div class="shoe-bar" aria-hidden="true">
        <span class={wornM > FADING_M ? 'worn' : ''} style={{ width: `${Math.min(1, wornM / WORN_M) * 100}%` }} />
        <i style={{ left: `${(FADING_M / WORN_M) * 100}%` }} />
      </div>
      <p class="muted small shoe-about">
        Added {date(shoe.createdAt)}
        {(shoe.initialMileageM ?? 0) > 0 && `, with ${text(distance(shoe.initialMileageM, units, 0))} on them`}
      </p>
    </li>
  )
}

function mileageM({ totalMileage, unit }: Shoe): number {
  return totalMileage * (unit === 'km' ? 1000 : METRES_PER_MILE)
}

interface ShoeDialogProps {
  /** null: a new pair. */
  readonly shoe: Shoe | null
  readonly units: Units
  readonly onClose: () => void
}

function ShoeDialog({ shoe, units, onClose }: ShoeDialogProps) {
  const [brand, setBrand] = useState(shoe?.brand ?? '')
  const [model, setModel] = useState(shoe?.model ?? '')
  const [worn, setWorn] = useState(() => typedLength(shoe?.initialMileageM ?? null, units))
  const amount = Number(worn.replace(',', '.'))
  const wornFault = worn.trim() !== '' && !(amount >= 0) ? 'A number, 0 or more' : null
  const send = async () => {
    if (wornFault !== null) return
    const initialMileageM = worn.trim() === '' ? null : amount * unitLengthM(units)
    const body = { brand, model, initialMileageM }
    if (shoe === null) await api.send('POST', '/shoes', body)
    else await api.send('PATCH', `/shoes/${shoe.id}`, body)
    invalidate('/shoes')
    invalidate(DEFAULT_SHOE)
    onClose()
  }
  return (
    <Dialog title={shoe === null ? 'Add shoes' : 'Edit shoes'} onClose={onClose}>
      <Form action={shoe === null ? 'Add' : 'Save'} isPrimary onSend={send} onCancel={onClose}>
        <Field
          label="Brand"
          autofocus
          required
          maxLength={LENGTHS.shoe}
          value={brand}
          onText={setBrand}
          placeholder="Hoka"
        />
        <Field
          label="Model"
          required
          maxLength={LENGTHS.shoe}
          value={model}
          onText={setModel}
          placeholder="Clifton 9"
        />
        <Field
          label="Distance before Harrier"
          hint="Leave it empty for a new pair."
          inputMode="decimal"
          suffix={distanceUnit(units)}
          value={worn}
          onText={setWorn}
          fault={wornFault}
        />
      </Form>
    </Dialog>
  )
}

/** Two decimals suffice for the mileage of used shoes. */
function typedLength(metres: number | null, units: Units): string {
  return metres === null ? '' : String(Math.round((metres / unitLengthM(units)) * 100) / 100)
}

function DeleteDialog({ shoe, onClose }: { readonly shoe: Shoe; readonly onClose: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      const receiptId = await api.change('DELETE', `/shoes/${shoe.id}`)
      invalidate('/shoes')
      invalidate(DEFAULT_SHOE)
      toastDone(`${shoe.brand} ${shoe.model} deleted`, [receiptId])
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error))
    }
    onClose()
  }
  return (
    <Confirm
      title={`Delete ${shoe.brand} ${shoe.model}?`}
      action="Delete"
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p class="muted">Your runs stay; those in these shoes will have none.</p>
    </Confirm>
  )
}
