import { connect, type Socket } from 'node:net'

/** Forwards data in both directions, until one side ends. */
export function tunnel(client: Socket, port: number, onOpen: () => void, onFail: () => void): void {
  // All servers of tests are on loopback, whatever name was requested.
  const site = connect(port, '127.0.0.1')
  let isOpen = false
  site.once('connect', () => {
    isOpen = true
    onOpen()
    client.pipe(site).pipe(client)
  })
  site.on('error', () => {
    if (isOpen) client.destroy()
    else onFail()
  })
  client.on('error', () => site.destroy()).on('close', () => site.destroy())
}
