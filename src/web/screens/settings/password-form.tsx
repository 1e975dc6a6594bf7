import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useSession } from '../../state.ts'
import { Form } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { PasswordRules } from '../password-rules.tsx'

export function PasswordForm() {
  const session = useSession()
  const username = 'user' in session ? session.user.username : ''
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const send = async () => {
    await api.send('POST', '/auth/change-password', { currentPassword, newPassword })
    setCurrent('')
    setNew('')
    toast('Password changed')
  }
  return (
    <Form action="Change password" onSend={send}>
      <input
        class="hidden-text"
        name="username"
        autocomplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordField label="Current password" kind="current" value={currentPassword} onText={setCurrent} />
      <PasswordField label="New password" kind="new" value={newPassword} onText={setNew} />
      {newPassword !== '' && <PasswordRules password={newPassword} username={username} />}
    </Form>
  )
}
