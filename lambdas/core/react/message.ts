/** What an event says, fit to be kept and shown. */

/** More is no longer a message: AWS's own are below 500 characters. */
const LONGEST = 500;

/**
 * Whoever may call `sts:DecodeAuthorizationMessage` can open it: policies, principals and the whole request stand in it. It is one unbroken
 * run of base64 letters, with or without the words before it.
 */
const ENCODED_AFTER_WORDS = /\s*Encoded authori[sz]ation failure message:?\s*\S*/gi;
const ENCODED = /[A-Za-z0-9+/_-]{80,}={0,2}/g;

/** The text on one line, without encoded authorisation messages, cut to a length that a reader takes in. */
export function cleanMessage(text: string): string {
  const clean = text
    .replace(ENCODED_AFTER_WORDS, ' (encoded details left out)')
    .replace(ENCODED, '(encoded details left out)')
    .replace(/\s+/g, ' ')
    .trim();
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST - 3)}...` : clean;
}
