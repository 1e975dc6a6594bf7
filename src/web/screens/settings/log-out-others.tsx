import { api } from '../../api.ts'
import { Form } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.tsx'

export function LogOutOthers() {
  const send = async () => {
    await api.send('POST', '/auth/logout-others')
    toast('Other devices logged out')
  }
  return (
    <div class="other-devices">
      <Form action="Log out other devices" onSend={send}>
        <p class="muted small">Logs out every other browser, for example after you lost a phone.</p>
      </Form>
    </div>
  )
}
