/** Why an attempt to deliver to a webhook failed, with what it means. */
export const DELIVERY_ERRORS = {
  status: 'the answer was not 2xx; redirects are not followed',
  timeout: 'there was no answer within 15 seconds',
  address: 'the address is not public, and WEBHOOK_ALLOW does not list it',
  name: 'the name of the host does not resolve',
  connection: 'the connection was refused or broken',
  tls: 'the certificate is not valid for the host, or TLS failed',
  answer: 'the answer was not HTTP, or its headers were larger than 16 KB',
  disabled: 'the webhook was disabled while the event waited: it was not sent',
} as const;

export type DeliveryError = keyof typeof DELIVERY_ERRORS;
