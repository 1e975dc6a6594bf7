import { api } from '../../api.ts'
import { useSession } from '../../state.ts'
import { Form } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useFields } from '../../ui/use-fields.ts'
import { PasswordRules } from '../password-rules.tsx'

const EMPTY = { currentPassword: '', newPassword: '' }

export function PasswordForm() {
  const session = useSession()
  const username = 'user' in session ? session.user.username : ''
  const { values, field, set, form } = useFields(EMPTY, {
    send: async (body) => {
      await api.send('POST', '/auth/change-password', body)
      set(EMPTY)
      toast('Password changed')
    },
  })
  return (
    <Form {...form} action="Change password">
      <input
        class="hidden-text"
        name="username"
        autocomplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordField label="Current password" kind="current" {...field('currentPassword')} />
      <PasswordField label="New password" kind="new" {...field('newPassword')} />
      {values.newPassword !== '' && <PasswordRules password={values.newPassword} username={username} />}
    </Form>
  )
}
