"""A live class: phones randomise and send, the board shows. Rooms live in memory, behind a server of their own."""

from ldpapp.classroom.door import DOOR, NoDoor, lan_address, may_leave_this_machine
from ldpapp.classroom.notes import NOTES, PhoneNotes
from ldpapp.classroom.rooms import LIFE, MOST_SEATS, ROOMS, Room, Seen
