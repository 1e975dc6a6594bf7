import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useSession } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useSubmit } from '../../use-submit.ts'
import { PasswordRules } from '../password-rules.tsx'

export function PasswordForm() {
  const session = useSession()
  const username = 'user' in session ? session.user.username : ''
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const { isBusy, fault, submit } = useSubmit(async () => {
    await api.send('POST', '/auth/change-password', { currentPassword, newPassword })
    setCurrent('')
    setNew('')
    toast('Password changed')
  })
  return (
    <form class="form" onSubmit={submit}>
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
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
      <div class="actions start">
        <Button type="submit" isBusy={isBusy}>
          Change password
        </Button>
      </div>
    </form>
  )
}
