import { PLACE_NAME_LENGTH } from '../../../engine/limits.ts'
import { api } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { useFields } from '../../ui/use-fields.ts'
import type { Place } from './place.ts'

/** Asks for the name of a place; what is suggested stands there already. */
export function NameDialog({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const { id, lat, lon } = place
  const { field, form } = useFields(
    { name: place.name ?? place.suggested ?? '' },
    {
      rules: { name: (typed) => (typed.trim() === '' ? 'Enter a name' : null) },
      send: async ({ name }) => {
        if (id === null) await api.send('POST', '/places', { name, lat, lon })
        else await api.send('PATCH', `/places/${id}`, { name })
        onClose()
      },
    },
  )
  return (
    <Dialog title={id === null ? 'Name this place' : 'Rename place'} onClose={onClose}>
      <Form {...form} action="Save" isPrimary onCancel={onClose}>
        <Field {...field('name')} label="Name" autofocus required maxLength={PLACE_NAME_LENGTH} placeholder="Home" />
      </Form>
    </Dialog>
  )
}
