/** The part of the library that the portal uses, as a file of its own that is loaded when it is needed. */
export { startAuthentication, startRegistration } from '@simplewebauthn/browser';
